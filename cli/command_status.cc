#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/daemon_client.h"
#include "cli/scores.h"
#include "cli/summaries.h"
#include "db/deletions.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "miner/score_histogram.h"

namespace qdedup::cli {
namespace {

// What `qdedup status` shows.
struct StateReport {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
  std::uint64_t questions = 0;
  std::optional<std::string> incomplete_import;  // of which file
  std::uint64_t store_bytes = 0;                 // with its -wal
  std::uint64_t bank_bytes = 0;
  std::vector<db::LogRecord> logs;
  db::UnconsumedEvidence waiting;
  std::map<db::DeletionStatus, std::uint64_t> deletions;
  std::optional<db::IterationRecord> last_iteration;
  std::vector<std::int64_t> withheld_iterations;
  Json daemon;  // its own report, or {"error": why it is missing}; null if none is running
};

std::uint64_t database_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code failure;
    const std::uint64_t size = std::filesystem::file_size(path + suffix, failure);
    if (!failure) bytes += size;
  }
  return bytes;
}

Json ask_daemon(const db::StateFolder& folder) {
  Result<std::optional<DaemonClient>> daemon = DaemonClient::connect(folder.socket_path());
  if (!daemon.ok()) return {{"error", daemon.error().message}};
  if (!daemon->has_value()) return nullptr;
  const Result<DaemonClient::Answer> answer = (*daemon)->get("/api/status");
  if (!answer.ok()) return {{"error", answer.error().message}};
  auto json = parse_own_json(answer->body);
  if (!json.is_object()) return {{"error", folder.socket_path() + ": answers something else"}};
  return json;
}

Result<std::vector<std::int64_t>> withheld_iterations(db::Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::IterationRecord> all, db::Iterations(store).all());
  std::vector<std::int64_t> withheld;
  for (const db::IterationRecord& iteration : all) {
    if (iteration.withheld) withheld.push_back(iteration.id);
  }
  return withheld;
}

// The daemon's value for `key`, escaped because the daemon may belong to another user.
std::string said(const Json& json, const char* key) { return escaped(json.value(key, "?")); }

// A line on what it is doing, and one for each log that lags or cannot be read.
void print_daemon(std::ostream& out, const Json& daemon) {
  if (daemon.is_null()) {
    out << "daemon     does not run\n";
    return;
  }
  if (daemon.contains("error")) {
    out << "daemon     cannot be asked: " << said(daemon, "error") << '\n';
    return;
  }
  const auto part = [&](const char* key) { return daemon.value(key, Json()); };
  const auto work = part("working_on");
  const auto next = part("next_slot");
  const auto lease = part("lease");
  out << "daemon     runs since " << said(daemon, "started_at") << "; "
      << (work.is_object() ? said(work, "job") + (lease.is_object() ? " of " + said(lease, "holder") : "") +
                                 " since " + said(work, "since")
                           : "idle")
      << (next.is_string() ? "; next iteration " + said(daemon, "next_slot") : "; no schedule") << '\n';
  if (const auto slot = part("waiting_slot"); slot.is_object()) {
    out << "  the iteration of " << said(slot, "slot") << " waits until "
        << byte_size(slot.value("bytes", std::uint64_t{0})) << " of logs are mined\n";
  }
  if (part("config_problem").is_string()) {
    std::istringstream problems(daemon.value("config_problem", ""));
    for (std::string line; std::getline(problems, line);)
      out << "  the config was read again and is not used: " << escaped(line) << '\n';
  }
  for (const auto& log : part("lagging_logs")) {
    out << "  " << said(log, "path") << ": " << byte_size(log.value("bytes", std::uint64_t{0}))
        << " not mined yet\n";
  }
  for (const auto& problem : part("log_problems")) out << "  " << said(problem, "reason") << '\n';
  std::istringstream trouble(daemon.value("trouble", ""));
  for (std::string line; std::getline(trouble, line);) out << escaped(line) << '\n';
}

Result<StateReport> report_on(ReadableState& state, const db::StateFolder& folder) {
  StateReport report;
  db::Evidence evidence(state.store);
  QDEDUP_ASSIGN_OR_RETURN(report.questions, state.bank.count());
  QDEDUP_ASSIGN_OR_RETURN(report.incomplete_import, state.bank.interrupted_import());
  QDEDUP_ASSIGN_OR_RETURN(report.logs, evidence.logs());
  QDEDUP_ASSIGN_OR_RETURN(report.waiting, evidence.unconsumed());
  QDEDUP_ASSIGN_OR_RETURN(report.deletions, db::Deletions(state.store).count_by_status());
  QDEDUP_ASSIGN_OR_RETURN(report.last_iteration, db::Iterations(state.store).find(std::nullopt));
  QDEDUP_ASSIGN_OR_RETURN(report.withheld_iterations, withheld_iterations(state.store));
  report.store_bytes = database_bytes(folder.store_path());
  report.bank_bytes = database_bytes(folder.bank_path());
  report.daemon = ask_daemon(folder);
  return report;
}

db::LineTotals total_of(const std::vector<db::LogRecord>& logs) {
  db::LineTotals total;
  for (const db::LogRecord& log : logs) total += log.totals;
  return total;
}

void print_bank(std::ostream& out, const StateReport& report) {
  out << "bank       " << counted(report.questions, "question") << '\n';
  if (report.incomplete_import) {
    out << "  the import of " << escaped(*report.incomplete_import)
        << " is not complete: no iteration is made until it has run to its end\n";
  }
}

void print_iterations(std::ostream& out, const StateReport& report) {
  if (report.last_iteration) {
    out << "last       iteration " << report.last_iteration->id << ", "
        << escaped(report.last_iteration->finished_at) << ": "
        << counted(report.last_iteration->counts.deletions, "deletion") << '\n';
  } else {
    out << "last       no iteration yet\n";
  }
  for (const std::int64_t id : report.withheld_iterations) {
    out << "  iteration " << id << " lists more than [review] max_deletions_per_iteration: held until "
        << "`qdedup review release " << id << "`\n";
  }
}

void print(std::ostream& out, const StateReport& report, const db::StateFolder& folder) {
  out << "state      " << escaped(folder.path()) << ": qdedup.db " << byte_size(report.store_bytes)
      << ", bank.db " << byte_size(report.bank_bytes) << '\n';
  print_bank(out, report);
  out << "mined      ";
  print_line_totals(out, total_of(report.logs));
  for (const db::LogRecord& log : report.logs) {
    out << "  " << escaped(log.path) << ": " << counted(log.totals.lines, "line") << " ("
        << grouped(log.totals.selected) << " selected, " << grouped(log.totals.rejected_total())
        << " rejected), " << byte_size(log.offset) << ", last " << escaped(log.last_mined_at)
        << (log.possible_loss ? ", possible loss" : "")
        << (log.possible_twice ? ", possibly counted twice" : "") << '\n';
  }
  out << "waiting    " << counted(report.waiting.selected, "list") << " (" << byte_size(report.waiting.bytes)
      << ") for the next iteration\n";
  print_iterations(out, report);
  out << "deletions ";
  const char* separator = " ";
  for (const auto& [status, count] : report.deletions) {
    out << separator << grouped(count) << ' ' << name(status);
    separator = ", ";
  }
  out << (report.deletions.empty() ? " none\n" : "\n");
  print_daemon(out, report.daemon);
}

Json to_json(const StateReport& report, const db::StateFolder& folder) {
  Json logs = Json::array();
  for (const db::LogRecord& log : report.logs) {
    Json entry = {
        {"path", path_text(log.path)}, {"offset", log.offset}, {"last_mined_at", log.last_mined_at}};
    entry.update(line_totals_json(log.totals));
    entry["possible_loss"] = log.possible_loss;
    entry["possible_twice"] = log.possible_twice;
    logs.push_back(std::move(entry));
  }
  Json last;
  if (report.last_iteration) {
    last = {{"id", report.last_iteration->id}, {"finished_at", report.last_iteration->finished_at}};
  }
  Json deletions = Json::object();
  for (const auto& [status, count] : report.deletions) deletions[std::string(name(status))] = count;
  Json incomplete;
  if (report.incomplete_import) incomplete = *report.incomplete_import;
  return {{"state", folder.path()},
          {"store_bytes", report.store_bytes},
          {"bank_bytes", report.bank_bytes},
          {"questions", report.questions},
          {"incomplete_import", std::move(incomplete)},
          {"mined", line_totals_json(total_of(report.logs))},
          {"logs", std::move(logs)},
          {"waiting_lists", report.waiting.selected},
          {"waiting_bytes", report.waiting.bytes},
          {"last_iteration", std::move(last)},
          {"held_iterations", report.withheld_iterations},
          {"deletions", std::move(deletions)},
          {"daemon", report.daemon}};
}

Result<int> show_status(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const StateReport report, report_on(state, context.folder()));
  if (context.json()) {
    print_json(context.out(), to_json(report, context.folder()));
  } else {
    print(context.out(), report, context.folder());
  }
  return 0;
}

Result<int> show_scores(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::ScoreCount> scores,
                          db::Evidence(state.store).scores(miner::ScoreHistogram::buckets));
  if (context.json()) {
    print_json(context.out(), {{"scores", scores_json(scores)}});
  } else {
    print_scores(context.out(), scores);
  }
  return 0;
}

}  // namespace

void add_status_command(CLI::App& app, Command& chosen) {
  auto scores = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("status", "What is stored, mined and pending");
  command->add_flag("--scores", *scores, "Show the scores seen in the logs, to choose thresholds by");
  command->callback([scores, &chosen] { chosen.run = *scores ? show_scores : show_status; });
}

}  // namespace qdedup::cli
