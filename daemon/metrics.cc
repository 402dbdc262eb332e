#include "daemon/metrics.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "base/clock.h"
#include "base/escaped.h"
#include "base/version.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"

namespace qdedup::daemon {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

double number(std::uint64_t count) { return static_cast<double>(count); }

double seconds_since_1970(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

double seconds_between(std::chrono::steady_clock::time_point begin,
                       std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// The metric families of one page, in the order in which they were added.
class Page {
 public:
  // Values go to the family added last.
  Page& counter(std::string name, std::string help) {
    return begin(std::move(name), std::move(help), MetricType::Counter);
  }
  Page& gauge(std::string name, std::string help) {
    return begin(std::move(name), std::move(help), MetricType::Gauge);
  }
  Page& value(double value, Labels labels = {}) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = value;
    metric.gauge.value = value;
    families_.back().metric.push_back(std::move(metric));
    return *this;
  }
  void values(const std::map<std::string, std::uint64_t>& counts, const std::string& label) {
    for (const auto& [kind, count] : counts) value(number(count), {{label, kind}});
  }

  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families_);
    return std::move(out).str();
  }

 private:
  Page& begin(std::string name, std::string help, MetricType type) {
    families_.push_back(
        {.name = "qdedup_" + std::move(name), .help = std::move(help), .type = type, .metric = {}});
    return *this;
  }

  std::vector<prometheus::MetricFamily> families_;
};

std::uint64_t bytes_of(const std::string& path) {
  std::error_code failure;
  const std::uint64_t bytes = std::filesystem::file_size(path, failure);
  return failure ? 0 : bytes;
}

void add_process(const DaemonStatus& status, bool store_usable, Page& page) {
  page.gauge("build_info", "Always 1; the label is the version of the program.")
      .value(1, {{"version", program_version()}});
  page.gauge("start_time_seconds", "When the daemon started, in seconds since 1970.")
      .value(seconds_since_1970(status.started_at));
  page.gauge("config_last_reload_successful",
             "Whether the config was used when it was last read; else the one before is in force.")
      .value(status.config_problem.empty() ? 1 : 0);
  page.gauge("store_usable",
             "Whether the databases are in their place and sound; else nothing is written, and their figures "
             "are missing.")
      .value(store_usable ? 1 : 0);
  page.gauge("healthy", "Whether GET /healthz finds nothing wrong.")
      .value(health_trouble(status).empty() ? 1 : 0);
  page.gauge("worker_busy", "Whether an iteration or a command is being worked on.")
      .value(status.worker ? 1 : 0);
  page.counter("dropped_messages_total",
               "Messages of the journal that were dropped since the start, because nothing took them.")
      .value(number(status.dropped_messages));
  if (status.lease) {
    page.gauge("lease_idle_seconds",
               "For how long the command that has the lease of the writer has stored nothing.")
        .value(seconds_between(status.lease->moved, status.steady_now));
  }
  if (status.next_slot) {
    page.gauge("next_slot_timestamp_seconds",
               "When the schedule begins the next iteration, in seconds since 1970.")
        .value(seconds_since_1970(*status.next_slot));
  }
  if (status.waiting_slot) {
    page.gauge("awaited_log_bytes",
               "Bytes of logs that are mined before the iteration of the schedule begins.")
        .value(number(status.waiting_slot->bytes));
  }
}

void add_lines(const iteration::FollowerCounters& mined, Page& page) {
  const LineTotals& lines = mined.totals;
  page.counter("lines_total", "Lines of logs that were mined since the start, by outcome.")
      .value(number(lines.selected), {{"outcome", "selected"}})
      .value(number(lines.unselected), {{"outcome", "unselected"}})
      .value(number(lines.rejected_total()), {{"outcome", "rejected"}});
  page.counter("rejected_lines_total", "Lines of logs that could not be used since the start, by reason.")
      .values(lines.rejected, "reason");
  page.counter("log_bytes_total", "Bytes of logs that were mined since the start, unpacked.")
      .value(number(mined.bytes_mined));
}

// By pattern, 0 for those without any.
std::map<std::string, iteration::LogLag> lags_of(const DaemonStatus& status) {
  const std::vector<std::string>& globs = status.log_paths;
  std::map<std::string, iteration::LogLag> lags;
  for (const std::string& glob : globs) lags.emplace(glob, iteration::LogLag{0, status.steady_now});
  for (const auto& [path, lag] : status.tail.lags) {
    const auto of_pattern = lags.find(iteration::log_pattern(path, globs));
    if (of_pattern == lags.end()) continue;
    of_pattern->second.bytes += lag.bytes;
    of_pattern->second.since = std::min(of_pattern->second.since, lag.since);
  }
  return lags;
}

void add_logs(const DaemonStatus& status, const StoredMetrics& stored, Page& page) {
  const auto lags = lags_of(status);
  const auto group_of = [&](const std::string& pattern) {
    const auto group = stored.log_groups.find(pattern);
    return group == stored.log_groups.end() ? iteration::LogGroup() : group->second;
  };
  page.gauge("logs", "Logs that were ever mined, by the glob of [logs] paths that matches them.");
  for (const auto& [pattern, lag] : lags)
    page.value(number(group_of(pattern).logs), {{"pattern", path_text(pattern)}});
  page.gauge("log_last_mined_timestamp_seconds",
             "When a log was last mined that the glob matches, in seconds since 1970; absent for none.");
  for (const auto& [pattern, lag] : lags) {
    const auto mined = parse_timestamp(group_of(pattern).last_mined_at);
    if (mined) page.value(seconds_since_1970(*mined), {{"pattern", path_text(pattern)}});
  }
  page.gauge("log_lag_bytes", "Bytes that were written to the logs of a glob and not yet mined.");
  for (const auto& [pattern, lag] : lags) page.value(number(lag.bytes), {{"pattern", path_text(pattern)}});
  page.gauge("log_lag_seconds",
             "For how long the oldest bytes that were not yet mined have been in a log of a glob.");
  for (const auto& [pattern, lag] : lags) {
    page.value(seconds_between(lag.since, status.steady_now), {{"pattern", path_text(pattern)}});
  }
  page.gauge("log_possible_loss",
             "1 for each log of which lines may have been lost, until it is acknowledged.");
  for (const std::string& path : stored.possible_losses) page.value(1, {{"path", path_text(path)}});
  page.gauge("possible_loss_logs", "How many such logs there are.")
      .value(number(stored.possible_losses.size()));
  page.gauge("log_possible_twice",
             "1 for each log of which lines may have counted twice, until it is acknowledged.");
  for (const std::string& path : stored.possible_twices) page.value(1, {{"path", path_text(path)}});
  page.gauge("possible_twice_logs", "How many such logs there are.")
      .value(number(stored.possible_twices.size()));
  page.gauge("log_problems", "Logs that cannot be read at the moment, by the kind of problem.");
  if (!status.tail.waiting.empty()) {
    page.value(number(status.tail.waiting.size()), {{"kind", "incomplete"}});
  }
  if (!status.tail.problems.empty())
    page.value(number(status.tail.problems.size()), {{"kind", "unreadable"}});
}

void add_state(const DaemonStatus& status, const StoredMetrics& stored, Page& page) {
  page.gauge("waiting_lists", "Selected lists that no iteration has used yet.")
      .value(number(stored.waiting.selected));
  if (const auto since = parse_timestamp(stored.waiting.since)) {
    page.gauge("waiting_since_timestamp_seconds",
               "When the oldest of these lists was mined, in seconds since 1970; absent while none waits.")
        .value(seconds_since_1970(*since));
  }
  page.gauge("waiting_bytes", "Size of the evidence that no iteration has used yet.")
      .value(number(stored.waiting.bytes));
  page.gauge("store_bytes", "Size of qdedup.db.").value(number(stored.store_bytes));
  page.gauge("store_wal_bytes", "Size of the write-ahead log of qdedup.db.")
      .value(number(stored.store_wal_bytes));
  page.gauge("bank_bytes", "Size of bank.db.").value(number(stored.bank_bytes));
  page.gauge("bank_questions", "Questions in the bank.").value(number(stored.questions));
  page.gauge("bank_complete",
             "0 while only a part of a file is in the bank, so that no iteration is made; else 1.")
      .value(stored.incomplete_import ? 0 : 1);
  page.counter("failed_commits_total",
               "Writes to the store that failed and were tried again, since the start.")
      .value(number(status.tail.failures));
}

void add_last_iteration(const db::IterationRecord& iteration, Page& page) {
  const auto finished = parse_timestamp(iteration.finished_at).value_or(std::chrono::sys_seconds());
  const auto started = parse_timestamp(iteration.started_at).value_or(finished);
  const db::IterationCounts& counts = iteration.counts;
  const auto gauge = [&page](const char* name, const char* help, double value) {
    page.gauge(std::string("last_iteration_") + name, help).value(value);
  };
  gauge("duration_seconds", "How long the last iteration that succeeded took.",
        std::chrono::duration<double>(finished - started).count());
  gauge("success_timestamp_seconds", "When it ended, in seconds since 1970.", seconds_since_1970(finished));
  gauge("distinct_lists", "Distinct lists that it used.", number(counts.distinct_lists));
  gauge("clusters", "Clusters that it refined.", number(counts.clusters));
  gauge("questions", "Questions in those lists.", number(counts.ids));
  gauge("missing_questions", "Questions of those lists that the bank does not hold.", number(counts.missing));
  gauge("deletions", "Deletions that it listed.", number(counts.deletions));
  gauge("withdrawn_deletions", "Earlier deletions that it withdrew.", number(counts.withdrawn));
}

void add_iterations(const DaemonStatus& status, const StoredMetrics& stored, Page& page) {
  page.counter("iterations_total", "Iterations since the start, by result.")
      .value(number(status.iterations.succeeded), {{"result", "success"}})
      .value(number(status.iterations.failed), {{"result", "failure"}});
  if (stored.last_iteration) add_last_iteration(*stored.last_iteration, page);
  page.gauge("held_iterations",
             "Iterations that listed more deletions than allowed, which nobody has released.")
      .value(number(stored.withheld_iterations.size()));
  page.gauge("deletions", "Deletions of all iterations, by status.").values(stored.deletions, "status");
}

void add_check_index(const DaemonStatus& status, Page& page) {
  const CheckIndex::Report& index = status.check_index;
  page.gauge("check_index_building", "Whether an index of the bank is being built, for checks of questions.")
      .value(index.building ? 1 : 0);
  page.gauge("check_index_questions",
             "Questions in the index; 0 while there is none, and checks read the bank.")
      .value(number(index.questions));
  page.gauge("check_index_bytes", "Memory that the index takes.").value(number(index.bytes));
  if (index.built_at) {
    const auto age =
        std::chrono::duration_cast<std::chrono::system_clock::duration>(status.steady_now - *index.built_at);
    page.gauge("check_index_timestamp_seconds", "When the index was built, in seconds since 1970.")
        .value(seconds_since_1970(status.now - age));
  }
}

}  // namespace

Result<StoredMetrics> collect_metrics(const db::StateFolder& folder, const std::vector<std::string>& globs) {
  StoredMetrics metrics;
  metrics.store_bytes = bytes_of(folder.store_path());
  metrics.store_wal_bytes = bytes_of(folder.store_path() + "-wal");
  metrics.bank_bytes = bytes_of(folder.bank_path()) + bytes_of(folder.bank_path() + "-wal");
  QDEDUP_ASSIGN_OR_RETURN(db::Store store, db::Store::open(folder, db::Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::LogRecord> logs, db::Evidence(store).logs());
  for (const db::LogRecord& log : logs) {
    if (log.possible_loss) metrics.possible_losses.insert(log.path);
    if (log.possible_twice) metrics.possible_twices.insert(log.path);
  }
  metrics.log_groups = iteration::group_logs(logs, globs);
  QDEDUP_ASSIGN_OR_RETURN(metrics.waiting, db::Evidence(store).unconsumed());
  QDEDUP_ASSIGN_OR_RETURN(metrics.last_iteration, db::Iterations(store).find(std::nullopt));
  QDEDUP_ASSIGN_OR_RETURN(metrics.withheld_iterations, db::Iterations(store).withheld());
  QDEDUP_ASSIGN_OR_RETURN(const auto deletions, db::Deletions(store).count_by_status());
  for (const auto& [status, count] : deletions) metrics.deletions[std::string(name(status))] = count;
  QDEDUP_ASSIGN_OR_RETURN(db::Bank bank, db::Bank::open(folder, db::Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(metrics.questions, bank.count());
  QDEDUP_ASSIGN_OR_RETURN(const auto incomplete, bank.interrupted_import());
  metrics.incomplete_import = incomplete.has_value();
  return metrics;
}

std::string metrics_text(const DaemonStatus& status, const std::optional<StoredMetrics>& stored) {
  Page page;
  add_process(status, stored.has_value(), page);
  add_lines(status.tail.counters, page);
  if (stored) {
    add_logs(status, *stored, page);
    add_state(status, *stored, page);
    add_iterations(status, *stored, page);
  }
  add_check_index(status, page);
  return page.text();
}

}  // namespace qdedup::daemon
