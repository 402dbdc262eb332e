#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "miner/result_list.h"

namespace qdedup::miner {

enum class LineFormat {
  array,     // the line is the list: [[1380777178,0.306],…]
  object,    // the line is an object with the list at a JSON pointer (RFC 6901)
  embedded,  // the line is text with the list in it
};

// What the lines of a log look like. Pointers are JSON pointers (RFC 6901).
struct LineShape {
  LineFormat format = LineFormat::array;
  std::string pointer = "/results";  // to the list, for LineFormat::object; "" is the whole line
  std::string id{};                  // where each hit of the list has its id
  std::string score{};               // and its score; both empty: a hit is a pair [id, score]
  bool quoted_numbers = false;       // ids and scores may be strings that hold a number and nothing else
  bool by_score = false;             // lists are not sorted by score yet
};

// Reads result lists from log lines. Strict JSON (RFC 8259, see json_cursor.h), at most max_nesting levels
// deep, also in the parts of an object that are passed over; one byte-order mark before the value is passed
// over. Ids are exact 63-bit integers: 1.0 and 1e3 are no ids. Scores are the nearest double. An empty list
// is a list without pairs. Of members with the same name the last one counts. Holds no state between lines;
// safe to share by threads.
//
// LineFormat::embedded takes the first part of the line that is a list by itself and is not empty; where
// there is none, an empty one. What stands around it may be any bytes.
class LineParser {
 public:
  // Fails with ErrorCode::config on a bad pointer.
  static Result<LineParser> create(const LineShape& shape);

  // Parses one line (no newline at its end; a carriage return is white space) and replaces `pairs` by its
  // hits, as listed or, with `by_score`, those with higher scores first and equal ones as listed. On a
  // rejection `pairs` is unspecified. Linear in the length of the line, besides sorting; with
  // LineFormat::embedded, bytes that look like nested lists are read once for each level, max_nesting at
  // most.
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
  bool lines_are_pairs_;  // they need not be looked through for JSON's sake first
};

}  // namespace qdedup::miner
