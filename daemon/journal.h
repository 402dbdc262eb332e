#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <spdlog/logger.h>

#include "base/result.h"

namespace qdedup::daemon {

// The daemon's log. Thread-safe, and logging never waits for whoever reads the messages: a thread of its own
// writes them, in order. While too many wait, further ones are dropped and counted; the next one that is
// accepted is preceded by their number.
class Journal final : public spdlog::logger {
 public:
  explicit Journal(spdlog::sink_ptr sink);
  ~Journal() override;  // waits as flush() does
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Messages that were dropped, or could not be written.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  struct Queue;

  static void write_all(const std::shared_ptr<Queue>& queue, const spdlog::sink_ptr& sink);
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;  // waits until all is written, for half a second at most

  std::shared_ptr<Queue> queue_;  // the thread may be in a write that never ends
};

// Whether the descriptor leads to systemd's journal: `journal_stream` is $JOURNAL_STREAM, the journal's
// "device:inode", or null (systemd.exec(5)).
bool is_journal(int descriptor, const char* journal_stream);

// Logs to systemd's journal, if standard error leads there, otherwise to standard error with time and level
// on each line. `level` is the lowest level that is logged: "debug", "info", "warning" or "error"; otherwise
// ErrorCode::usage.
Result<std::shared_ptr<Journal>> open_journal(std::string_view level);

}  // namespace qdedup::daemon
