#include "miner/line_parser.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/utf8.h"

namespace qdedup::miner {
namespace {

std::string_view without_byte_order_mark(std::string_view line) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  return line;
}

bool begins_with_utf8(std::string_view bytes) {
  constexpr std::size_t longest_sequence = 4;
  for (std::size_t length = 1; length <= std::min(bytes.size(), longest_sequence); ++length) {
    if (is_utf8(bytes.substr(0, length))) return true;
  }
  return bytes.empty();
}

// Why `text` is not one JSON value, if it is not: the first byte that does not fit decides.
std::optional<Rejection> fault_of_text(std::string_view text) {
  JsonCursor cursor(text);
  cursor.skip_space();
  if (cursor.rest().empty()) return Rejection::blank;
  const bool complete = cursor.skip_value();
  if (complete) cursor.skip_space();

  const std::string_view rest = cursor.rest();
  const std::string_view passed = text.substr(0, text.size() - rest.size());
  if (!is_utf8(passed) || !begins_with_utf8(rest)) return Rejection::bad_utf8;
  if (complete && rest.empty()) return std::nullopt;
  if (rest.starts_with('\0')) return Rejection::nul_byte;
  if (complete) return Rejection::trailing_data;
  return cursor.too_deep() ? Rejection::too_deep : Rejection::bad_json;
}

}  // namespace

Result<LineParser> LineParser::create(LineFormat format, std::string_view pointer) {
  if (format == LineFormat::array) return LineParser(format, {});
  QDEDUP_ASSIGN_OR_RETURN(std::vector<std::string> tokens, parse_pointer(pointer));
  return LineParser(format, std::move(tokens));
}

LineParser::LineParser(LineFormat format, std::vector<std::string> pointer)
    : format_(format), pointer_(std::move(pointer)) {}

std::optional<Rejection> LineParser::parse(std::string_view line, std::vector<ScoredId>& pairs) const {
  const std::string_view text = without_byte_order_mark(line);
  JsonCursor cursor(text);
  pairs.clear();
  if (format_ == LineFormat::array && read_pairs(cursor, pairs)) {
    cursor.skip_space();
    if (cursor.rest().empty()) return std::nullopt;
  }
  if (const std::optional<Rejection> fault = fault_of_text(text)) return fault;
  JsonCursor value(text);
  if (!find(pointer_, value)) return Rejection::no_results;
  const JsonCursor list = value;
  if (read_pairs(value, pairs)) return std::nullopt;
  return fault_of_pairs(list);
}

}  // namespace qdedup::miner
