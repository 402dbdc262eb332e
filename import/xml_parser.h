#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct XML_ParserStruct;

namespace qdedup::import {

// ErrorCode::data.
Error bad_workbook(const std::string& reason);

// A name with its namespace; valid during the call that it is passed to.
struct XmlName {
  std::string_view space;  // empty: none
  std::string_view local;
};

// The attributes of an element; valid during the call that they are passed to.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}

  // That of this name. `space` is empty for most.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view local,
                                                     std::string_view space = {}) const;

 private:
  const char* const* pairs_;  // names and values, up to a null
};

// Takes the elements and texts of a document, in order.
class XmlContent {
 public:
  XmlContent() = default;
  XmlContent(const XmlContent&) = delete;
  XmlContent& operator=(const XmlContent&) = delete;
  virtual ~XmlContent() = default;

  virtual Status start(const XmlName& name, const XmlAttributes& attributes) = 0;
  virtual Status end() = 0;
  virtual Status text(std::string_view characters) = 0;  // a piece of one
};

// Feeds a document in UTF-8 or UTF-16 to its taker, piece by piece. ErrorCode::data for what is not
// well-formed, has a document type (and thus entities of its own), another encoding, or exceeds
// workbook_limits. Errors of the taker are passed on. Memory is bounded by the longest tag allowed.
class XmlParser {
 public:
  explicit XmlParser(XmlContent& content);  // which must outlive it
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  Status parse(std::string_view bytes, bool is_last);

 private:
  struct Callbacks;
  struct Free {
    void operator()(XML_ParserStruct* parser) const;
  };

  void stop(Status status);
  bool has_stopped();

  XmlContent& content_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  Status status_;
  std::uint64_t fed_ = 0;         // bytes
  std::uint64_t last_event_ = 0;  // after as many
  unsigned depth_ = 0;
};

}  // namespace qdedup::import
