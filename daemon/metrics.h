#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qdedup::daemon {

// Counts by kind. The kind becomes a label, so it comes from a fixed set of words.
using CountsByKind = std::map<std::string, std::uint64_t>;

// One log that is followed.
struct LogFigures {
  std::string path;
  std::uint64_t lag_bytes = 0;  // written and not yet mined
  double lag_seconds = 0;       // for how long the oldest of them has been there
  bool possible_loss = false;   // as its record says
};

// The last iteration that succeeded.
struct IterationFigures {
  double duration_seconds = 0;
  double finished_at = 0;  // seconds since 1970
  std::uint64_t distinct_lists = 0;
  std::uint64_t clusters = 0;
  std::uint64_t ids = 0;
  std::uint64_t missing = 0;
  std::uint64_t deletions = 0;
  std::uint64_t withdrawn = 0;
};

// Everything that GET /metrics shows, at one moment. Holds no ids and no question text.
struct Metrics {
  std::string version;
  double started_at = 0;  // of this process, in seconds since 1970

  // Of all logs ever mined.
  std::uint64_t selected_lines = 0;
  std::uint64_t unselected_lines = 0;
  CountsByKind rejected_lines;  // by reason
  std::uint64_t bytes_read = 0;
  std::uint64_t possible_losses = 0;  // logs that may have lost lines

  std::vector<LogFigures> logs;
  CountsByKind log_problems;  // logs that cannot be read at the moment, by kind

  std::uint64_t waiting_lists = 0;  // evidence that no iteration has consumed
  std::uint64_t waiting_bytes = 0;
  std::uint64_t store_bytes = 0;
  std::uint64_t store_wal_bytes = 0;
  std::uint64_t bank_bytes = 0;
  std::uint64_t questions = 0;
  std::uint64_t failed_commits = 0;  // since the start

  std::uint64_t succeeded_iterations = 0;  // since the start
  std::uint64_t failed_iterations = 0;
  std::optional<IterationFigures> last_iteration;
  CountsByKind deletions;           // by status
  std::optional<double> next_slot;  // seconds since 1970; none: the schedule is off
  bool worker_busy = false;

  bool check_index_building = false;
  std::optional<double>
      check_index_built_at;  // seconds since 1970; none: there is none, checks read the bank
  std::uint64_t check_index_questions = 0;
  std::uint64_t check_index_bytes = 0;
};

// In the text format 0.0.4 of Prometheus. Bytes of a path that are not UTF-8 become U+FFFD.
std::string metrics_text(const Metrics& metrics);

// The Content-Type of that text.
inline constexpr const char* metrics_content_type = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace qdedup::daemon
