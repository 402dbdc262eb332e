#include "miner/line_parser.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "base/utf8.h"

namespace qdedup::miner {
namespace {

bool is_blank(std::string_view text) {
  JsonCursor cursor(text);
  cursor.skip_space();
  return cursor.rest().empty();
}

// Why `text` is not a single JSON value, or none if it is; determined by the first byte that does not fit.
std::optional<Rejection> fault_of_text(std::string_view text) {
  if (is_blank(text)) return Rejection::blank;
  JsonCursor cursor(text);
  const bool complete = cursor.skip_value();
  if (complete) cursor.skip_space();

  const std::string_view rest = cursor.rest();
  const std::string_view passed = text.substr(0, text.size() - rest.size());
  if (!is_utf8(passed) || (!rest.empty() && well_formed_length(rest) == 0)) return Rejection::bad_utf8;
  if (complete && rest.empty()) return std::nullopt;
  if (rest.starts_with('\0')) return Rejection::nul_byte;
  if (complete) return Rejection::trailing_data;
  return cursor.too_deep() ? Rejection::too_deep : Rejection::bad_json;
}

}  // namespace

Result<LineParser> LineParser::create(const LineShape& shape) {
  const bool has_pointer = shape.format == LineFormat::object;
  QDEDUP_ASSIGN_OR_RETURN(std::vector<std::string> pointer, parse_pointer(has_pointer ? shape.pointer : ""));
  HitShape hits;
  QDEDUP_ASSIGN_OR_RETURN(hits.id, parse_pointer(shape.id));
  QDEDUP_ASSIGN_OR_RETURN(hits.score, parse_pointer(shape.score));
  hits.quoted_numbers = shape.quoted_numbers;
  return LineParser(shape, std::move(pointer), std::move(hits));
}

LineParser::LineParser(const LineShape& shape, std::vector<std::string> pointer, HitShape hits)
    : format_(shape.format),
      by_score_(shape.by_score),
      pointer_(std::move(pointer)),
      hits_(std::move(hits)),
      lines_are_pairs_(format_ == LineFormat::array && hits_.are_pairs()) {}

std::optional<Rejection> LineParser::parse(std::string_view line, std::vector<ScoredId>& pairs) const {
  const std::string_view text = without_byte_order_mark(line);
  pairs.clear();
  JsonCursor cursor(text);
  const bool is_done = lines_are_pairs_ && read_hits(cursor, hits_, pairs) && is_blank(cursor.rest());
  const std::optional<Rejection> rejection = is_done ? std::nullopt : read(text, pairs);
  if (by_score_ && !rejection) std::ranges::stable_sort(pairs, std::greater(), &ScoredId::score);
  return rejection;
}

std::optional<Rejection> LineParser::read(std::string_view text, std::vector<ScoredId>& pairs) const {
  if (format_ == LineFormat::embedded) return read_embedded(text, pairs);
  if (const std::optional<Rejection> fault = fault_of_text(text)) return fault;
  JsonCursor value(text);
  if (!find(pointer_, value)) return Rejection::no_results;
  const JsonCursor list = value;
  if (read_hits(value, hits_, pairs)) return std::nullopt;
  return fault_of_hits(list, hits_);
}

// Tries every [. If several attempts fail at the same byte, their brackets are nested, so max_nesting bounds
// the work.
std::optional<Rejection> LineParser::read_embedded(std::string_view text,
                                                   std::vector<ScoredId>& pairs) const {
  if (is_blank(text)) return Rejection::blank;
  bool has_empty_list = false;
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const std::string_view rest = text.substr(at);
    JsonCursor cursor(rest);
    pairs.clear();
    if (!read_hits(cursor, hits_, pairs)) continue;
    const std::string_view list = rest.substr(0, rest.size() - cursor.rest().size());
    if (!hits_.are_pairs() && fault_of_text(list)) continue;
    if (!pairs.empty()) return std::nullopt;
    has_empty_list = true;
  }
  pairs.clear();
  return has_empty_list ? std::nullopt : std::optional(Rejection::no_results);
}

}  // namespace qdedup::miner
