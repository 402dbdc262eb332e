#include "daemon/metrics.h"

#include <sstream>
#include <string_view>
#include <utility>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "base/utf8.h"

namespace qdedup::daemon {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

double number(std::uint64_t count) { return static_cast<double>(count); }

// The families of one page, in the order in which they are added.
class Page {
 public:
  // The value goes to the family that was begun last.
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
  void values(const CountsByKind& counts, const std::string& label) {
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

// Paths are any bytes; label values are UTF-8.
std::string readable_path(const std::string& path) {
  if (is_utf8(path)) return path;
  std::string readable;
  for (const char c : path) readable += static_cast<unsigned char>(c) < 0x80 ? std::string(1, c) : "\uFFFD";
  return readable;
}

void add_process(const Metrics& metrics, Page& page) {
  page.gauge("build_info", "Always 1; the label is the version of the program.")
      .value(1, {{"version", metrics.version}});
  page.gauge("start_time_seconds", "When the daemon started, in seconds since 1970.")
      .value(metrics.started_at);
  page.gauge("worker_busy", "Whether an iteration or a command is being worked on.")
      .value(metrics.worker_busy ? 1 : 0);
  if (metrics.next_slot) {
    page.gauge("next_slot_timestamp_seconds",
               "When the schedule begins the next iteration, in seconds since 1970.")
        .value(*metrics.next_slot);
  }
}

void add_lines(const Metrics& metrics, Page& page) {
  page.counter("lines_total", "Lines of logs that were mined, by outcome.")
      .value(number(metrics.selected_lines), {{"outcome", "selected"}})
      .value(number(metrics.unselected_lines), {{"outcome", "unselected"}});
  std::uint64_t rejected = 0;
  for (const auto& [reason, count] : metrics.rejected_lines) rejected += count;
  page.value(number(rejected), {{"outcome", "rejected"}});
  page.counter("rejected_lines_total", "Lines of logs that could not be used, by reason.")
      .values(metrics.rejected_lines, "reason");
  page.counter("log_bytes_total", "Bytes of logs that were mined, unpacked.")
      .value(number(metrics.bytes_read));
}

void add_logs(const Metrics& metrics, Page& page) {
  page.gauge("log_lag_bytes", "Bytes that were written to a log and not yet mined.");
  for (const LogFigures& log : metrics.logs)
    page.value(number(log.lag_bytes), {{"path", readable_path(log.path)}});
  page.gauge("log_lag_seconds", "For how long the oldest bytes that were not yet mined have been in a log.");
  for (const LogFigures& log : metrics.logs) page.value(log.lag_seconds, {{"path", readable_path(log.path)}});
  page.gauge("log_possible_loss", "Whether lines of a log may have been lost before they could be mined.");
  for (const LogFigures& log : metrics.logs) {
    page.value(log.possible_loss ? 1 : 0, {{"path", readable_path(log.path)}});
  }
  page.counter("possible_loss_total", "Logs that may have lost lines before they could be mined.")
      .value(number(metrics.possible_losses));
  page.gauge("log_problems", "Logs that cannot be read at the moment, by the kind of problem.")
      .values(metrics.log_problems, "kind");
}

void add_state(const Metrics& metrics, Page& page) {
  page.gauge("waiting_lists", "Selected lists that no iteration has used yet.")
      .value(number(metrics.waiting_lists));
  page.gauge("waiting_bytes", "Size of the evidence that no iteration has used yet.")
      .value(number(metrics.waiting_bytes));
  page.gauge("store_bytes", "Size of qdedup.db.").value(number(metrics.store_bytes));
  page.gauge("store_wal_bytes", "Size of the write-ahead log of qdedup.db.")
      .value(number(metrics.store_wal_bytes));
  page.gauge("bank_bytes", "Size of bank.db.").value(number(metrics.bank_bytes));
  page.gauge("bank_questions", "Questions in the bank.").value(number(metrics.questions));
  page.counter("failed_commits_total",
               "Writes to the store that failed and were tried again, since the start.")
      .value(number(metrics.failed_commits));
}

void add_last_iteration(const IterationFigures& figures, Page& page) {
  const auto gauge = [&page](const char* name, const char* help, double value) {
    page.gauge(std::string("last_iteration_") + name, help).value(value);
  };
  gauge("duration_seconds", "How long the last iteration that succeeded took.", figures.duration_seconds);
  gauge("success_timestamp_seconds", "When it ended, in seconds since 1970.", figures.finished_at);
  gauge("distinct_lists", "Distinct lists that it used.", number(figures.distinct_lists));
  gauge("clusters", "Clusters that it refined.", number(figures.clusters));
  gauge("questions", "Questions in those lists.", number(figures.ids));
  gauge("missing_questions", "Questions of those lists that the bank does not hold.",
        number(figures.missing));
  gauge("deletions", "Deletions that it listed.", number(figures.deletions));
  gauge("withdrawn_deletions", "Earlier deletions that it withdrew.", number(figures.withdrawn));
}

void add_iterations(const Metrics& metrics, Page& page) {
  page.counter("iterations_total", "Iterations since the start, by result.")
      .value(number(metrics.succeeded_iterations), {{"result", "success"}})
      .value(number(metrics.failed_iterations), {{"result", "failure"}});
  if (metrics.last_iteration) add_last_iteration(*metrics.last_iteration, page);
  page.gauge("deletions", "Deletions of all iterations, by status.").values(metrics.deletions, "status");
}

void add_check_index(const Metrics& metrics, Page& page) {
  page.gauge("check_index_building", "Whether an index of the bank is being built, for checks of questions.")
      .value(metrics.check_index_building ? 1 : 0);
  page.gauge("check_index_questions",
             "Questions in the index; 0 while there is none, and checks read the bank.")
      .value(number(metrics.check_index_questions));
  page.gauge("check_index_bytes", "Memory that the index takes.").value(number(metrics.check_index_bytes));
  if (metrics.check_index_built_at) {
    page.gauge("check_index_timestamp_seconds", "When the index was built, in seconds since 1970.")
        .value(*metrics.check_index_built_at);
  }
}

}  // namespace

std::string metrics_text(const Metrics& metrics) {
  Page page;
  add_process(metrics, page);
  add_lines(metrics, page);
  add_logs(metrics, page);
  add_state(metrics, page);
  add_iterations(metrics, page);
  add_check_index(metrics, page);
  return page.text();
}

}  // namespace qdedup::daemon
