#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/log_mark.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

// How a log begins.
struct LogHead {
  std::string
      bytes;  // the first LogMark::window unpacked ones, or all if it is shorter or damaged behind them
  Compression compression = Compression::none;
  bool cut_off = false;  // a compressed file ends too early

  // Does the file hold too little to tell what it will be?
  [[nodiscard]] bool is_undecided() const;
};

// Errors begin with the path.
Result<LogHead> read_head(const std::shared_ptr<const RegularFile>& file);

// Can the log that begins with `head` (LogHead::bytes), and the one that `mark` was made of, begin with the
// same bytes? A cheap first question: a false answer is final. A head that is shorter than what the mark's
// head hash covers cannot tell: true.
[[nodiscard]] bool may_begin_with(std::string_view head, const LogMark& mark);

}  // namespace qdedup::logs
