#include <filesystem>
#include <memory>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/daemon_client.h"
#include "cli/json_output.h"
#include "cli/mining_summary.h"
#include "cli/number.h"
#include "cli/printable.h"
#include "cli/score_table.h"
#include "db/deletions.h"
#include "db/evidence.h"
#include "db/iterations.h"

namespace qdedup::cli {
namespace {

// All that `qdedup status` tells.
struct StateReport {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
  std::uint64_t questions = 0;
  std::optional<std::string> incomplete_import;  // of which file
  std::uint64_t store_bytes = 0;                 // with its -wal
  std::uint64_t bank_bytes = 0;
  std::vector<db::LogRecord> logs;
  db::UnconsumedEvidence waiting;
  std::map<std::string, std::uint64_t> deletions;  // by status
  std::optional<db::IterationRecord> last_iteration;
  std::vector<std::int64_t> held_iterations;  // for listing too much
  nlohmann::ordered_json daemon;  // as it tells itself, or {"error": why it does not}; null when none runs
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

template <class Value>
Status take(Result<Value> result, Value& target) {
  if (!result.ok()) return std::move(result).error();
  target = *std::move(result);
  return {};
}

nlohmann::ordered_json ask_daemon(const db::StateFolder& folder) {
  Result<std::optional<DaemonClient>> daemon = DaemonClient::connect(folder.socket_path());
  if (!daemon.ok()) return {{"error", daemon.error().message}};
  if (!daemon->has_value()) return nullptr;
  const Result<DaemonClient::Answer> answer = (*daemon)->get("/api/status");
  if (!answer.ok()) return {{"error", answer.error().message}};
  auto json = nlohmann::ordered_json::parse(answer->body, nullptr, false);
  if (!json.is_object()) return {{"error", folder.socket_path() + ": answers something else"}};
  return json;
}

Result<std::vector<std::int64_t>> held_iterations(db::Store& store) {
  const Result<std::vector<db::IterationRecord>> all = db::Iterations(store).all();
  if (!all.ok()) return all.error();
  std::vector<std::int64_t> held;
  for (const db::IterationRecord& iteration : *all) {
    if (iteration.withheld) held.push_back(iteration.id);
  }
  return held;
}

// A line for what it is, and one for each log that lags or cannot be read.
void print_daemon(std::ostream& out, const nlohmann::ordered_json& daemon) {
  if (daemon.is_null()) {
    out << "daemon     does not run\n";
    return;
  }
  if (daemon.contains("error")) {
    out << "daemon     cannot be asked: " << daemon.value("error", "?") << '\n';
    return;
  }
  const auto part = [&](const char* key) { return daemon.value(key, nlohmann::ordered_json()); };
  const auto work = part("working_on");
  const auto next = part("next_slot");
  out << "daemon     runs since " << daemon.value("started_at", "?") << "; "
      << (work.is_object() ? work.value("job", "?") + " since " + work.value("since", "?") : "idle")
      << (next.is_string() ? "; next iteration " + next.get<std::string>() : "; no schedule") << '\n';
  for (const auto& log : part("lagging_logs")) {
    out << "  " << log.value("path", "?") << ": " << byte_size(log.value("bytes", std::uint64_t{0}))
        << " not mined yet\n";
  }
  for (const auto& problem : part("log_problems")) out << "  " << problem.value("reason", "?") << '\n';
  out << daemon.value("trouble", "");
}

Result<StateReport> report_on(ReadableState& state, const db::StateFolder& folder) {
  StateReport report;
  db::Evidence evidence(state.store);
  QDEDUP_TRY(take(state.bank.count(), report.questions));
  QDEDUP_TRY(take(state.bank.interrupted_import(), report.incomplete_import));
  QDEDUP_TRY(take(evidence.logs(), report.logs));
  QDEDUP_TRY(take(evidence.unconsumed(), report.waiting));
  QDEDUP_TRY(take(db::Deletions(state.store).count_by_status(), report.deletions));
  QDEDUP_TRY(take(db::Iterations(state.store).find(std::nullopt), report.last_iteration));
  QDEDUP_TRY(take(held_iterations(state.store), report.held_iterations));
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
    out << "  the import of " << printable(*report.incomplete_import)
        << " is not complete: no iteration is made until it has run to its end\n";
  }
}

void print_iterations(std::ostream& out, const StateReport& report) {
  if (report.last_iteration) {
    out << "last       iteration " << report.last_iteration->id << ", " << report.last_iteration->finished_at
        << ": " << counted(report.last_iteration->counts.deletions, "deletion") << '\n';
  } else {
    out << "last       no iteration yet\n";
  }
  for (const std::int64_t id : report.held_iterations) {
    out << "  iteration " << id << " lists more than [review] max_deletions_per_iteration: held until "
        << "`qdedup review release " << id << "`\n";
  }
}

void print(std::ostream& out, const StateReport& report, const db::StateFolder& folder) {
  out << "state      " << folder.path() << ": qdedup.db " << byte_size(report.store_bytes) << ", bank.db "
      << byte_size(report.bank_bytes) << '\n';
  print_bank(out, report);
  out << "mined      ";
  print_line_totals(out, total_of(report.logs));
  for (const db::LogRecord& log : report.logs) {
    out << "  " << log.path << ": " << counted(log.totals.lines, "line") << " ("
        << grouped(log.totals.selected) << " selected, " << grouped(log.totals.rejected_total())
        << " rejected), " << byte_size(log.offset) << ", last " << log.last_mined_at
        << (log.possible_loss ? ", possible loss" : "") << '\n';
  }
  out << "waiting    " << counted(report.waiting.selected, "list") << " (" << byte_size(report.waiting.bytes)
      << ") for the next iteration\n";
  print_iterations(out, report);
  out << "deletions ";
  const char* separator = " ";
  for (const auto& [status, count] : report.deletions) {
    out << separator << grouped(count) << ' ' << status;
    separator = ", ";
  }
  out << (report.deletions.empty() ? " none\n" : "\n");
  print_daemon(out, report.daemon);
}

nlohmann::ordered_json to_json(const StateReport& report, const db::StateFolder& folder) {
  nlohmann::ordered_json logs = nlohmann::ordered_json::array();
  for (const db::LogRecord& log : report.logs) {
    nlohmann::ordered_json entry = {
        {"path", log.path}, {"offset", log.offset}, {"last_mined_at", log.last_mined_at}};
    entry.update(line_totals_json(log.totals));
    entry["possible_loss"] = log.possible_loss;
    logs.push_back(std::move(entry));
  }
  nlohmann::ordered_json last;
  if (report.last_iteration) {
    last = {{"id", report.last_iteration->id}, {"finished_at", report.last_iteration->finished_at}};
  }
  nlohmann::ordered_json incomplete;
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
          {"held_iterations", report.held_iterations},
          {"deletions", report.deletions},
          {"daemon", report.daemon}};
}

Result<int> show_status(const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  const Result<StateReport> report = report_on(*state, session.folder());
  if (!report.ok()) return report.error();
  if (session.json()) {
    print_json(session.out(), to_json(*report, session.folder()));
  } else {
    print(session.out(), *report, session.folder());
  }
  return 0;
}

Result<int> show_scores(const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  const Result<std::vector<db::ScoreCount>> scores = db::Evidence(state->store).scores();
  if (!scores.ok()) return scores.error();
  if (session.json()) {
    print_json(session.out(), {{"scores", scores_json(*scores)}});
  } else {
    print_scores(session.out(), *scores);
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
