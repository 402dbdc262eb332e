#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value_names.h"
#include "miner/result_list.h"

namespace qdedup::miner {

enum class LineFormat {
  array,     // the line is the list: [[1380777178,0.306],…]
  object,    // the line is an object with the list at a JSON pointer (RFC 6901)
  embedded,  // the line is text that contains the list
};

inline constexpr ValueNames<LineFormat, 3> line_format_names = {
    {{LineFormat::array, "array"}, {LineFormat::object, "object"}, {LineFormat::embedded, "embedded"}}};

// The format of a log's lines. Pointers are JSON pointers (RFC 6901).
struct LineShape {
  LineFormat format = LineFormat::array;
  std::string pointer = "/results";  // to the list, for LineFormat::object; "" is the whole line
  std::string id{};                  // to the id in each hit of the list
  std::string score{};               // to its score; if both are empty, a hit is a pair [id, score]
  bool quoted_numbers = false;       // ids and scores may be strings that contain just a number
  bool by_score = false;             // lists are not sorted by score
};

// Reads result lists from log lines. Strict JSON (RFC 8259, see json_cursor.h), at most max_nesting levels
// deep, including the parts of an object that are skipped; one byte-order mark before the value is ignored.
// Ids are exact 63-bit integers; 1.0 and 1e3 are not ids. Scores are rounded to the nearest double. An empty
// list is valid. Of members with the same name, the last one counts. Stateless and thread-safe.
//
// LineFormat::embedded takes the first part of the line that is a non-empty list by itself; if there is none,
// an empty list. The rest of the line may be any bytes.
class LineParser {
 public:
  // Fails with ErrorCode::config if a pointer is invalid.
  static Result<LineParser> create(const LineShape& shape);

  // Parses one line (without newline; a carriage return is white space) and replaces `pairs` by its hits, in
  // listed order or, with `by_score`, by descending score, equal ones in listed order. On a rejection `pairs`
  // is unspecified. Linear in the length of the line, except for sorting; with LineFormat::embedded, bytes
  // that look like nested lists are read once per level, at most max_nesting times.
  [[nodiscard]] std::optional<Rejection> parse(std::string_view line, std::vector<ScoredId>& pairs) const;

 private:
  LineParser(const LineShape& shape, std::vector<std::string> pointer, HitShape hits);

  [[nodiscard]] std::optional<Rejection> read(std::string_view text, std::vector<ScoredId>& pairs) const;
  [[nodiscard]] std::optional<Rejection> read_embedded(std::string_view text,
                                                       std::vector<ScoredId>& pairs) const;

  LineFormat format_;
  bool by_score_;
  std::vector<std::string> pointer_;  // unescaped reference tokens
  HitShape hits_;
  bool lines_are_pairs_;  // so they need not be checked as JSON first
};

}  // namespace qdedup::miner
