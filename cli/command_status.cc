#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/daemon_client.h"
#include "cli/summaries.h"
#include "db/deletions.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "iteration/log_groups.h"
#include "miner/score_histogram.h"

namespace qdedup::cli {
namespace {

// What `qdedup status` shows.
struct StateReport {  // NOLINT(bugprone-exception-escape): moving JSON does not throw
  std::uint64_t questions = 0;
  std::optional<std::string> incomplete_import;  // as Bank::interrupted_import() has it
  std::uint64_t store_bytes = 0;                 // with its -wal
  std::uint64_t bank_bytes = 0;
  std::vector<db::LogRecord> logs;  // without forgotten ones
  std::vector<db::LogRecord> forgotten_logs;
  std::vector<std::string> globs_without_files;           // of [logs] paths
  std::map<std::string, iteration::LogGroup> log_groups;  // by pattern
  std::map<std::string, std::uint64_t> lag_bytes;         // by pattern, as the daemon says
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

// The daemon may be of another version, or belong to another user: what is missing or of another type is left
// out, and what people read is escaped.
std::string raw_text(const Json& json, const char* key, const char* otherwise = "") {
  const std::string* text = string_at(json, key);
  return text == nullptr ? otherwise : *text;
}

std::string said(const Json& json, const char* key) { return escaped(raw_text(json, key, "?")); }

std::uint64_t bytes_said(const Json& json) {
  const bool is_said = json.is_object() && json.contains("bytes") && json["bytes"].is_number_unsigned();
  return is_said ? json["bytes"].get<std::uint64_t>() : 0;
}

// A line on what it is doing, and one for each log that cannot be read.
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
    out << "  the iteration of " << said(slot, "slot") << " waits until " << byte_size(bytes_said(slot))
        << " of logs are mined\n";
  }
  std::istringstream problems(raw_text(daemon, "config_problem"));
  for (std::string line; std::getline(problems, line);)
    out << "  the config was read again and is not used: " << escaped(line) << '\n';
  for (const auto& problem : part("log_problems")) out << "  " << said(problem, "reason") << '\n';
  std::istringstream trouble(raw_text(daemon, "trouble"));
  for (std::string line; std::getline(trouble, line);) out << escaped(line) << '\n';
}

std::map<std::string, std::uint64_t> lag_by_pattern(const Json& daemon,
                                                    const std::vector<std::string>& globs) {
  std::map<std::string, std::uint64_t> bytes;
  if (!daemon.is_object()) return bytes;
  for (const auto& log : daemon.value("lagging_logs", Json::array()))
    bytes[iteration::log_pattern(raw_text(log, "path"), globs)] += bytes_said(log);
  return bytes;
}

Result<StateReport> report_on(ReadableState& state, const CommandContext& context) {
  const db::StateFolder& folder = context.folder();
  StateReport report;
  db::Evidence evidence(state.store);
  QDEDUP_ASSIGN_OR_RETURN(report.questions, state.bank.count());
  QDEDUP_ASSIGN_OR_RETURN(report.incomplete_import, state.bank.interrupted_import());
  QDEDUP_ASSIGN_OR_RETURN(report.logs, evidence.logs());
  QDEDUP_ASSIGN_OR_RETURN(report.waiting, evidence.unconsumed());
  QDEDUP_ASSIGN_OR_RETURN(report.deletions, db::Deletions(state.store).count_by_status());
  QDEDUP_ASSIGN_OR_RETURN(report.last_iteration, db::Iterations(state.store).find(std::nullopt));
  QDEDUP_ASSIGN_OR_RETURN(report.withheld_iterations, db::Iterations(state.store).withheld());
  report.store_bytes = database_bytes(folder.store_path());
  report.bank_bytes = database_bytes(folder.bank_path());
  report.daemon = ask_daemon(folder);
  const auto forgotten = std::stable_partition(report.logs.begin(), report.logs.end(),
                                               [](const db::LogRecord& log) { return !log.is_forgotten(); });
  report.forgotten_logs.assign(forgotten, report.logs.end());
  report.logs.erase(forgotten, report.logs.end());
  for (auto* logs : {&report.logs, &report.forgotten_logs})
    std::ranges::stable_sort(*logs, {}, &db::LogRecord::path);
  std::vector<std::string> globs = context.settings().logs.paths;
  if (globs.empty() && report.daemon.is_object()) {
    for (const Json& path : report.daemon.value("log_paths", Json::array())) {
      if (path.is_string()) globs.push_back(path.get<std::string>());
    }
  }
  report.globs_without_files = logs::globs_without_files(globs);
  report.log_groups = iteration::group_logs(report.logs, globs);
  report.lag_bytes = lag_by_pattern(report.daemon, globs);
  return report;
}

LineTotals total_of(const std::vector<db::LogRecord>& logs) {
  LineTotals total;
  for (const db::LogRecord& log : logs) total += log.totals;
  return total;
}

// "1,000 lines (400 selected, 3 rejected), 20 MB, last …".
void print_lines(std::ostream& out, const LineTotals& totals, std::uint64_t bytes, const std::string& last) {
  out << counted(totals.lines, "line") << " (" << grouped(totals.selected) << " selected, "
      << grouped(totals.rejected_total()) << " rejected), " << byte_size(bytes) << ", last " << escaped(last);
}

void print_suspicion(std::ostream& out, const db::LogRecord& log) {
  out << (log.possible_loss ? ", possible loss" : "")
      << (log.possible_twice ? ", possibly counted twice" : "");
}

void print_log(std::ostream& out, const db::LogRecord& log) {
  out << "  " << Verbatim{escaped(log.path)} << ": ";
  print_lines(out, log.totals, log.offset, log.last_mined_at);
  print_suspicion(out, log);
  if (!log.acknowledged_at.empty()) {
    out << ", acknowledged by " << escaped(log.acknowledged_by) << " on " << escaped(log.acknowledged_at);
  }
  out << '\n';
}

void print_logs(std::ostream& out, const StateReport& report) {
  for (const db::LogRecord& log : report.logs) print_log(out, log);
  if (!report.daemon.is_object()) return;
  for (const auto& log : report.daemon.value("lagging_logs", Json::array())) {
    out << "  " << Verbatim{said(log, "path")} << ": " << byte_size(bytes_said(log)) << " not mined yet\n";
  }
}

// A line for each pattern, and for each log that needs attention.
void print_log_groups(std::ostream& out, const StateReport& report) {
  for (const auto& [pattern, group] : report.log_groups) {
    out << "  " << Verbatim{escaped(group.name)} << ": " << counted(group.logs, "log") << ", ";
    print_lines(out, group.totals, group.bytes, group.last_mined_at);
    if (const auto lag = report.lag_bytes.find(pattern); lag != report.lag_bytes.end())
      out << ", " << byte_size(lag->second) << " not mined yet";
    out << '\n';
  }
  for (const auto& [pattern, bytes] : report.lag_bytes) {
    if (report.log_groups.contains(pattern)) continue;
    out << "  " << Verbatim{escaped(pattern)} << ": " << byte_size(bytes) << " not mined yet\n";
  }
  for (const db::LogRecord& log : report.logs) {
    if (!log.possible_loss && !log.possible_twice) continue;
    out << "  " << Verbatim{escaped(log.path)};
    print_suspicion(out, log);
    out << "; `qdedup acknowledge` once you have dealt with it\n";
  }
}

void print_bank(std::ostream& out, const StateReport& report) {
  out << "bank       " << counted(report.questions, "question") << '\n';
  if (report.incomplete_import && report.incomplete_import->empty()) {
    out << "  it was lost and is made anew: no iteration is made until all questions are imported\n";
  } else if (report.incomplete_import) {
    out << "  the import of " << Verbatim{escaped(*report.incomplete_import)}
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

void print(std::ostream& out, const StateReport& report, const db::StateFolder& folder, bool each_log) {
  out << "state      " << Verbatim{escaped(folder.path())} << ": qdedup.db " << byte_size(report.store_bytes)
      << ", bank.db " << byte_size(report.bank_bytes) << '\n';
  print_bank(out, report);
  out << "mined      ";
  print_line_totals(out, total_of(report.logs));
  if (each_log) {
    print_logs(out, report);
  } else {
    print_log_groups(out, report);
  }
  for (const std::string& glob : report.globs_without_files)
    out << "  " << Verbatim{escaped(glob)} << ": " << no_file_matches << '\n';
  for (const db::LogRecord& log : report.forgotten_logs) {
    out << "  " << Verbatim{escaped(log.path)} << ": left out, forgotten by "
        << Verbatim{escaped(log.forgotten_by)} << " on " << escaped(log.forgotten_at) << '\n';
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

Json groups_json(const StateReport& report) {
  Json groups = Json::array();
  for (const auto& [pattern, group] : report.log_groups) {
    Json entry = {{"pattern", path_text(pattern)},
                  {"logs", group.logs},
                  {"bytes", group.bytes},
                  {"last_mined_at", group.last_mined_at}};
    entry.update(line_totals_json(group.totals));
    const auto lag = report.lag_bytes.find(pattern);
    entry["lag_bytes"] = lag == report.lag_bytes.end() ? 0 : lag->second;
    groups.push_back(std::move(entry));
  }
  return groups;
}

Json left_out_json(const StateReport& report) {
  Json logs = Json::array();
  for (const db::LogRecord& log : report.forgotten_logs) {
    logs.push_back({{"path", path_text(log.path)},
                    {"forgotten_at", log.forgotten_at},
                    {"forgotten_by", log.forgotten_by}});
  }
  return logs;
}

Json to_json(const StateReport& report, const db::StateFolder& folder) {
  Json logs = Json::array();
  for (const db::LogRecord& log : report.logs) {
    Json entry = {
        {"path", path_text(log.path)}, {"offset", log.offset}, {"last_mined_at", log.last_mined_at}};
    entry.update(line_totals_json(log.totals));
    entry["possible_loss"] = log.possible_loss;
    entry["possible_twice"] = log.possible_twice;
    entry["acknowledged_at"] = log.acknowledged_at;
    entry["acknowledged_by"] = log.acknowledged_by;
    logs.push_back(std::move(entry));
  }
  Json last;
  if (report.last_iteration) {
    last = {{"id", report.last_iteration->id}, {"finished_at", report.last_iteration->finished_at}};
  }
  Json deletions = Json::object();
  for (const auto& [status, count] : report.deletions) deletions[std::string(name(status))] = count;
  Json incomplete;
  if (report.incomplete_import) {
    incomplete = report.incomplete_import->empty() ? "all questions" : *report.incomplete_import;
  }
  return {{"state", folder.path()},
          {"store_bytes", report.store_bytes},
          {"bank_bytes", report.bank_bytes},
          {"questions", report.questions},
          {"incomplete_import", std::move(incomplete)},
          {"mined", line_totals_json(total_of(report.logs))},
          {"logs", std::move(logs)},
          {"log_patterns", groups_json(report)},
          {"patterns_without_files", path_texts(report.globs_without_files)},
          {"forgotten_logs", left_out_json(report)},
          {"waiting_lists", report.waiting.selected},
          {"waiting_bytes", report.waiting.bytes},
          {"last_iteration", std::move(last)},
          {"held_iterations", report.withheld_iterations},
          {"deletions", std::move(deletions)},
          {"daemon", report.daemon}};
}

Result<int> show_status(const CommandContext& context, bool each_log) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const StateReport report, report_on(state, context));
  if (context.json()) {
    print_json(context.out(), to_json(report, context.folder()));
  } else {
    print(context.words(), report, context.folder(), each_log);
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
    print_scores(context.words(), scores);
  }
  return 0;
}

}  // namespace

void add_status_command(CLI::App& app, Command& chosen) {
  auto scores = std::make_shared<bool>(false);
  auto logs = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("status", "What is stored, mined and pending");
  CLI::Option* only =
      command->add_flag("--scores", *scores, "Show the scores seen in the logs, to choose thresholds by");
  command->add_flag("--logs", *logs, "Show each log, not only the patterns of [logs] paths")->excludes(only);
  command->callback([scores, logs, &chosen] {
    chosen.run = [scores, logs](const CommandContext& context) {
      return *scores ? show_scores(context) : show_status(context, *logs);
    };
  });
}

}  // namespace qdedup::cli
