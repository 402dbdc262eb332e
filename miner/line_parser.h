#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "miner/result_list.h"

namespace qdedup::miner {

enum class LineFormat {
  array,   // the line is the list: [[1380777178,0.306],…]
  object,  // the line is an object with the list at a JSON pointer (RFC 6901)
};

// Reads result lists from log lines. Strict JSON (RFC 8259, see json_cursor.h), at most max_nesting levels
// deep, also in the parts of an object that are passed over; one byte-order mark before the value is passed
// over. Ids are exact 63-bit integers: 1.0 and 1e3 are no ids. Scores are the nearest double. An empty list
// is a list without pairs. Of members with the same name the last one counts. Holds no state between lines;
// safe to share by threads.
class LineParser {
 public:
  // `pointer` counts for LineFormat::object only, e.g. "/results" or "/data/0/hits"; "" is the whole line.
  // Fails with ErrorCode::config on a bad pointer.
  static Result<LineParser> create(LineFormat format, std::string_view pointer);

  // Parses one line (no newline at its end; a carriage return is white space) in time linear in its length
  // and in constant memory besides `pairs`, whose content is replaced. On a rejection `pairs` is unspecified.
  [[nodiscard]] std::optional<Rejection> parse(std::string_view line, std::vector<ScoredId>& pairs) const;

 private:
  LineParser(LineFormat format, std::vector<std::string> pointer);

  LineFormat format_;
  std::vector<std::string> pointer_;  // unescaped reference tokens
};

}  // namespace qdedup::miner
