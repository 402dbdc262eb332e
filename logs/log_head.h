#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/log_mark.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

// The first LogMark::window unpacked bytes of a log, or all if it is shorter or damaged behind them. Errors
// begin with the path.
Result<std::string> read_head(const std::shared_ptr<const RegularFile>& file);

// Can the log that begins with `head` (of read_head), and the one that `mark` was made of, begin with the
// same bytes? A cheap first question: a false answer is final. A head that is shorter than what the mark's
// head hash covers cannot tell: true.
[[nodiscard]] bool may_begin_with(std::string_view head, const LogMark& mark);

}  // namespace qdedup::logs
