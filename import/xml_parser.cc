#include "import/xml_parser.h"

#include <cstddef>
#include <string>
#include <utility>

#include <expat.h>

#include "base/ascii.h"
#include "import/workbook_limits.h"

namespace qdedup::import {
namespace {

constexpr char name_separator = '\n';  // stands in no name and in no URI

XmlName split_name(std::string_view name) {
  const std::size_t separator = name.rfind(name_separator);
  if (separator == std::string_view::npos) return {{}, name};
  return {name.substr(0, separator), name.substr(separator + 1)};
}

bool is_unicode(std::string_view encoding) {
  const std::string lower = in_lower_case(encoding);
  return lower == "utf-8" || lower == "utf-16";
}

}  // namespace

Error bad_workbook(const std::string& reason) { return {ErrorCode::data, reason}; }

std::optional<std::string_view> XmlAttributes::find(std::string_view local, std::string_view space) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    const XmlName name = split_name(pair[0]);
    if (name.local == local && name.space == space) return pair[1];
  }
  return std::nullopt;
}

// What expat calls.
struct XmlParser::Callbacks {
  static XmlParser& self(void* data) { return *static_cast<XmlParser*>(data); }

  static void start(void* data, const XML_Char* name, const XML_Char** attributes) {
    XmlParser& parser = self(data);
    if (parser.has_stopped()) return;
    if (++parser.depth_ > workbook_limits::depth)
      return parser.stop(bad_workbook("its elements are nested too deep"));
    parser.stop(parser.content_.start(split_name(name), XmlAttributes(attributes)));
  }
  static void end(void* data, const XML_Char* /*name*/) {
    XmlParser& parser = self(data);
    if (parser.has_stopped()) return;
    --parser.depth_;
    parser.stop(parser.content_.end());
  }
  static void text(void* data, const XML_Char* characters, int length) {
    XmlParser& parser = self(data);
    if (parser.has_stopped()) return;
    parser.stop(parser.content_.text({characters, static_cast<std::size_t>(length)}));
  }
  static void doctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    self(data).stop(bad_workbook("has a document type, which no spreadsheet writes"));
  }
  static void declaration(void* data, const XML_Char*, const XML_Char* encoding, int) {
    if (encoding == nullptr || is_unicode(encoding)) return;
    self(data).stop(bad_workbook("is neither UTF-8 nor UTF-16"));
  }
};

void XmlParser::Free::operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }

XmlParser::XmlParser(XmlContent& content)
    : content_(content), parser_(XML_ParserCreateNS(nullptr, name_separator)) {
  if (!parser_) return;  // parse() says so
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), Callbacks::start, Callbacks::end);
  XML_SetCharacterDataHandler(parser_.get(), Callbacks::text);
  XML_SetStartDoctypeDeclHandler(parser_.get(), Callbacks::doctype);
  XML_SetXmlDeclHandler(parser_.get(), Callbacks::declaration);
}

Status XmlParser::parse(std::string_view bytes, bool is_last) {
  if (!parser_) return Error{ErrorCode::busy, "no memory for it"};
  fed_ += bytes.size();
  const XML_Status parsed =
      XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), is_last ? XML_TRUE : XML_FALSE);
  if (!status_.ok()) return status_;
  if (parsed != XML_STATUS_OK) {
    return bad_workbook("line " + std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ": " +
                        XML_ErrorString(XML_GetErrorCode(parser_.get())));
  }
  if (fed_ - last_event_ > workbook_limits::tag_bytes) return bad_workbook("a tag is too long");
  return {};
}

// Further events may come until the parser has stopped.
bool XmlParser::has_stopped() {
  last_event_ = fed_;
  return !status_.ok();
}

void XmlParser::stop(Status status) {
  if (status.ok()) return;
  status_ = std::move(status);
  XML_StopParser(parser_.get(), XML_FALSE);
}

}  // namespace qdedup::import
