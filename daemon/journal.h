#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "base/result.h"

namespace qdedup::daemon {

// Whether what is written to the descriptor goes to systemd's journal: `journal_stream` is the value of
// $JOURNAL_STREAM, "device:inode" of the journal's end, or null (systemd.exec(5)). A descriptor that was
// redirected since is not the journal, whatever the variable says.
bool is_journal(int descriptor, const char* journal_stream);

// The log of the daemon, for any thread. It goes to the journal, with SYSLOG_IDENTIFIER=qdedupd and the
// priority of each message, where standard error is the journal; else to standard error, a line each with
// time and level. `level` is the least that is logged: "debug", "info", "warning" or "error"; else
// ErrorCode::usage.
Result<std::shared_ptr<spdlog::logger>> open_journal(std::string_view level);

}  // namespace qdedup::daemon
