#include "import/text_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "base/ascii.h"
#include "base/utf8.h"

namespace qdedup::import {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t head_bytes = 1U << 16U;  // for recognising what a file is

struct OtherFormat {
  std::string_view begins;
  std::string_view holds;  // contained somewhere in the head
  std::string_view what;
  std::string_view advice;
};

constexpr std::string_view save_sheet = "save it as CSV UTF-8, or as tab-separated text";
constexpr std::string_view convert = "export it as JSON, CSV or TSV";

constexpr OtherFormat other_formats[] = {
    {"PK\x03\x04"sv, "xl/"sv, "an XLSX workbook"sv, save_sheet},
    {"PK\x03\x04"sv, "opendocument.spreadsheet"sv, "an ODS workbook"sv, save_sheet},
    {"PK\x03\x04"sv, "word/"sv, "a Word document"sv, convert},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, ""sv,
     "a workbook or document of old Excel or Word (XLS, DOC), or one with a password"sv, save_sheet},
    {"%PDF-"sv, ""sv, "a PDF document"sv, convert},
    {"SQLite format 3\0"sv, ""sv, "an SQLite database"sv, "export the table as CSV"sv},
    {"<?xml"sv, ""sv, "an XML file"sv, convert},
    {"<html"sv, ""sv, "an HTML page"sv, convert},
    {"<!DOCTYPE"sv, ""sv, "an HTML page"sv, convert},
    {"\xFF\xFE\0\0"sv, ""sv, "UTF-32"sv, "save it as UTF-8"sv},
    {"\0\0\xFE\xFF"sv, ""sv, "UTF-32"sv, "save it as UTF-8"sv},
    {"PAR1"sv, ""sv, "a Parquet file"sv, "read it with the Python package, or convert it to JSON lines"sv},
};

std::optional<std::string> other_format_of(std::string_view head, logs::Compression unpacked) {
  const auto* const found = std::ranges::find_if(other_formats, [&](const OtherFormat& format) {
    return head.starts_with(format.begins) && head.find(format.holds) != std::string_view::npos;
  });
  if (found != std::end(other_formats))
    return "is " + std::string(found->what) + ": " + std::string(found->advice);
  return unpacked == logs::Compression::none ? logs::other_packing(head) : logs::second_packing(head);
}

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

// Whether the bytes make sense as GB18030: most characters other than ASCII belong to GB2312, which covers
// nearly all Chinese text. For Chinese text in UTF-8, about a third do.
bool reads_as_gb18030(std::string_view text) {
  std::size_t all = 0;
  std::size_t common = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const auto trail = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
    const bool of_gb2312 = lead >= 0xA1 && lead <= 0xF7 && trail >= 0xA1 && trail <= 0xFE;
    const bool four_bytes = lead >= 0x81 && trail >= '0' && trail <= '9';
    all += lead >= 0x80 ? 1 : 0;
    common += of_gb2312 ? 1 : 0;
    at += four_bytes ? 4 : lead > 0x80 && trail >= 0x40 ? 2 : 1;
  }
  return all > 0 && 4 * common >= 3 * all;
}

// Whether most lines with anything but ASCII are not UTF-8 but GB18030. A few broken lines prove nothing.
bool seems_gb18030(std::string_view head) {
  std::size_t utf8 = 0;
  std::size_t gb18030 = 0;
  while (!head.empty()) {
    const std::string_view line = take_until(head, '\n');
    if (std::ranges::all_of(line, is_ascii)) continue;
    const bool other = !is_utf8(line) && reads_as_gb18030(line);
    ++(other ? gb18030 : utf8);
  }
  return gb18030 > utf8;
}

// The likely encoding of bytes that are not UTF-8; empty if unknown.
std::string_view likely_encoding(std::string_view head) {
  if (head.starts_with("\xFF\xFE"sv) || head.starts_with("\xFE\xFF"sv)) return "utf-16";
  const auto is_nul = [&](std::size_t at) { return head[at] == '\0'; };
  if (head.size() >= 4 && is_nul(0) == is_nul(2) && is_nul(1) == is_nul(3) && is_nul(0) != is_nul(1)) {
    return is_nul(0) ? "utf-16be" : "utf-16le";
  }
  return seems_gb18030(head) ? "gb18030" : "";
}

std::optional<std::string> problem_of(std::string_view head, const std::string& encoding, bool has_option,
                                      logs::Compression unpacked) {
  if (auto problem = other_format_of(head, unpacked)) return problem;
  if (head.size() == head_bytes)
    head = whole_characters(head, head_bytes - 1);  // the last one may be incomplete
  if (encoding == "gb18030" && is_utf8(head) && !std::ranges::all_of(head, is_ascii) &&
      !reads_as_gb18030(head)) {
    return "is UTF-8, not GB18030: leave --encoding out";
  }
  if (!encoding.empty()) return std::nullopt;
  const std::string likely(likely_encoding(head));
  if (likely.empty()) return std::nullopt;
  const std::string shown = likely == "gb18030" ? "GB18030 (GBK)" : "UTF-16";
  const std::string advice = has_option
                                 ? "read it with --encoding " + likely + ", or save it as UTF-8"
                                 : "save it as UTF-8, or convert it with `iconv -f " + likely + " -t utf-8`";
  return "seems to be " + shown + ", not UTF-8: " + advice;
}

// Decodes with an ICU converter, piece by piece.
class DecodedSource final : public logs::ByteSource {
 public:
  DecodedSource(std::unique_ptr<logs::ByteSource> source, icu::LocalUConverterPointer converter)
      : source_(std::move(source)), converter_(std::move(converter)), bytes_(piece), units_(piece + spare) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    while (taken_ == utf8_.size() && !ended_) QDEDUP_TRY(decode_piece());
    const std::size_t count = utf8_.copy(buffer.data(), buffer.size(), taken_);
    taken_ += count;
    return count;
  }
  [[nodiscard]] bool cut_off() const override { return source_->cut_off(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }

 private:
  static constexpr std::size_t piece = 1U << 16U;
  static constexpr std::size_t spare = 16;     // for what the converter has kept from the previous piece
  static constexpr char undecodable = '\xFF';  // occurs nowhere in UTF-8

  Status decode_piece() {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, source_->read(bytes_));
    ended_ = count == 0;
    utf8_.clear();
    taken_ = 0;
    const char* from = bytes_.data();
    while (!decode(from, bytes_.data() + count)) utf8_ += undecodable;
    return {};
  }

  // Decodes up to `end` and returns true, or past the first bytes that are not a character and returns false.
  // No byte becomes more than one unit, so there is always room, and surrogates come in pairs.
  bool decode(const char*& from, const char* end) {
    UErrorCode status = U_ZERO_ERROR;
    char16_t* to = units_.data();
    ucnv_toUnicode(converter_.getAlias(), &to, to + units_.size(), &from, end, nullptr, ended_ ? 1 : 0,
                   &status);
    const auto length = static_cast<std::int32_t>(to - units_.data());
    icu::UnicodeString(false, units_.data(), length).toUTF8String(utf8_);
    return U_SUCCESS(status) != 0;
  }

  std::unique_ptr<logs::ByteSource> source_;
  icu::LocalUConverterPointer converter_;
  std::vector<char> bytes_;
  std::vector<char16_t> units_;
  std::string utf8_;
  std::size_t taken_ = 0;
  bool ended_ = false;
};

Result<std::unique_ptr<logs::ByteSource>> decoded(std::unique_ptr<logs::ByteSource> source,
                                                  const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  icu::LocalUConverterPointer converter(ucnv_open(encoding.c_str(), &status));
  ucnv_setToUCallBack(converter.getAlias(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &status);
  if (U_FAILURE(status) != 0) return Error{ErrorCode::internal, "no converter for " + encoding};
  return std::unique_ptr<logs::ByteSource>(
      std::make_unique<DecodedSource>(std::move(source), std::move(converter)));
}

}  // namespace

Result<std::unique_ptr<logs::ByteSource>> as_utf8(std::unique_ptr<logs::ByteSource> source,
                                                  const std::string& name,
                                                  const std::optional<std::string>& encoding,
                                                  logs::Compression unpacked) {
  const bool is_older_gb = encoding == "gbk" || encoding == "gb2312";
  const std::string in_use = is_older_gb ? "gb18030" : encoding.value_or("");
  logs::Peeked peeked = logs::peek(std::move(source), head_bytes);
  if (const auto problem = problem_of(peeked.first, in_use, encoding.has_value(), unpacked)) {
    return Error{ErrorCode::data, name + ": " + *problem};
  }
  if (in_use.empty() || in_use == "utf-8") return std::move(peeked.whole);
  return decoded(std::move(peeked.whole), in_use);
}

}  // namespace qdedup::import
