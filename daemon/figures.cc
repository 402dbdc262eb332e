#include "daemon/figures.h"

#include <filesystem>
#include <map>
#include <utility>

#include "base/version.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "db/store.h"

namespace qdedup::daemon {
namespace {

double seconds_since_1970(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::uint64_t bytes_of(const std::string& path) {
  std::error_code failure;
  const std::uint64_t bytes = std::filesystem::file_size(path, failure);
  return failure ? 0 : bytes;
}

void add_lines(const std::vector<db::LogRecord>& logs, Metrics& metrics) {
  for (const db::LogRecord& log : logs) {
    metrics.selected_lines += log.totals.selected;
    metrics.unselected_lines += log.totals.unselected;
    for (const auto& [reason, lines] : log.totals.rejected) metrics.rejected_lines[reason] += lines;
    metrics.possible_losses += log.possible_loss ? 1 : 0;
  }
}

// Of the logs that are there: a record of one that was removed last year is of no interest.
void add_logs(const std::vector<db::LogRecord>& logs, const DaemonStatus& status, Metrics& metrics) {
  std::map<std::string, LogFigures> figures;
  std::error_code failure;
  for (const db::LogRecord& log : logs) {
    if (!std::filesystem::exists(log.path, failure)) continue;
    LogFigures& figure = figures[log.path];
    figure.possible_loss = figure.possible_loss || log.possible_loss;
  }
  for (const auto& [path, lag] : status.tail.lags) {
    const std::chrono::duration<double> age = status.steady_now - lag.since;
    figures[path].lag_bytes = lag.bytes;
    figures[path].lag_seconds = age.count();
  }
  for (auto& [path, figure] : figures) {
    figure.path = path;
    metrics.logs.push_back(figure);
  }
}

IterationFigures figures_of(const db::IterationRecord& iteration) {
  const auto finished = parse_timestamp(iteration.finished_at).value_or(std::chrono::sys_seconds());
  const auto started = parse_timestamp(iteration.started_at).value_or(finished);
  IterationFigures figures;
  figures.duration_seconds = std::chrono::duration<double>(finished - started).count();
  figures.finished_at = seconds_since_1970(finished);
  figures.distinct_lists = iteration.counts.distinct_lists;
  figures.clusters = iteration.counts.clusters;
  figures.ids = iteration.counts.ids;
  figures.missing = iteration.counts.missing;
  figures.deletions = iteration.counts.deletions;
  figures.withdrawn = iteration.counts.withdrawn;
  return figures;
}

Status add_store(const db::StateFolder& folder, const DaemonStatus& status, Metrics& metrics) {
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  const Result<std::vector<db::LogRecord>> logs = db::Evidence(*store).logs();
  if (!logs.ok()) return logs.error();
  add_lines(*logs, metrics);
  add_logs(*logs, status, metrics);
  const Result<db::UnconsumedEvidence> waiting = db::Evidence(*store).unconsumed();
  if (!waiting.ok()) return waiting.error();
  metrics.waiting_lists = waiting->selected;
  metrics.waiting_bytes = waiting->bytes;
  const auto iteration = db::Iterations(*store).find(std::nullopt);
  if (!iteration.ok()) return iteration.error();
  if (iteration->has_value()) metrics.last_iteration = figures_of(**iteration);
  Result<std::map<std::string, std::uint64_t>> deletions = db::Deletions(*store).count_by_status();
  if (!deletions.ok()) return std::move(deletions).error();
  metrics.deletions = *std::move(deletions);
  return {};
}

Status add_bank(const db::StateFolder& folder, Metrics& metrics) {
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return std::move(bank).error();
  const Result<std::uint64_t> questions = bank->count();
  if (!questions.ok()) return questions.error();
  metrics.questions = *questions;
  return {};
}

void add_daemon(const DaemonStatus& status, Metrics& metrics) {
  metrics.version = program_version();
  metrics.started_at = seconds_since_1970(status.started_at);
  metrics.bytes_read = status.tail.counters.bytes_read;
  metrics.failed_commits = status.tail.failures;
  metrics.succeeded_iterations = status.succeeded_iterations;
  metrics.failed_iterations = status.failed_iterations;
  if (!status.tail.problems.empty()) metrics.log_problems["unreadable"] = status.tail.problems.size();
  if (!status.tail.waiting.empty()) metrics.log_problems["incomplete"] = status.tail.waiting.size();
  if (status.next_slot) metrics.next_slot = seconds_since_1970(*status.next_slot);
  metrics.worker_busy = status.worker.has_value();
  const CheckIndex::Report& index = status.check_index;
  metrics.check_index_building = index.building.has_value();
  metrics.check_index_questions = index.questions;
  metrics.check_index_bytes = index.bytes;
  if (index.built_at) {
    const auto age =
        std::chrono::duration_cast<std::chrono::system_clock::duration>(status.steady_now - *index.built_at);
    metrics.check_index_built_at = seconds_since_1970(status.now - age);
  }
}

}  // namespace

Result<Metrics> figures_of(const db::StateFolder& folder, const DaemonStatus& status) {
  Metrics metrics;
  add_daemon(status, metrics);
  metrics.store_bytes = bytes_of(folder.store_path());
  metrics.store_wal_bytes = bytes_of(folder.store_path() + "-wal");
  metrics.bank_bytes = bytes_of(folder.bank_path()) + bytes_of(folder.bank_path() + "-wal");
  QDEDUP_TRY(add_store(folder, status, metrics));
  QDEDUP_TRY(add_bank(folder, metrics));
  return metrics;
}

}  // namespace qdedup::daemon
