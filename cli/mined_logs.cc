#include "cli/mined_logs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/summaries.h"
#include "iteration/log_mining.h"

namespace qdedup::cli {
namespace {

using miner::LineCounts;
using miner::Rejection;

std::uint64_t rejected_total(const LineCounts& counts) {
  return counts.lines - counts.selected - counts.unselected;
}

bool is_much_rejected(const LineCounts& counts) {
  const std::uint64_t rejected = rejected_total(counts);
  return rejected > 0 && 10 * rejected >= counts.lines;
}

bool is_nothing_selected(const LineCounts& counts) {
  return counts.selected == 0 && counts.unselected > 0 && !is_much_rejected(counts);
}

// The keys of the config to check.
std::string advice_on(Rejection reason, const miner::LineShape& shape) {
  const bool is_nothing = reason == Rejection::no_results;
  if (shape.format == miner::LineFormat::object && (is_nothing || reason == Rejection::not_a_list)) {
    return std::string(is_nothing ? "nothing" : "no list") + " is at \"" + escaped(shape.pointer) +
           "\" in it; does [logs] pointer fit it?";
  }
  switch (reason) {
    case Rejection::bad_json:
    case Rejection::trailing_data:
      return R"(does [logs] format fit it? "embedded" finds a list in other text)";
    case Rejection::not_a_list:
      return R"(does [logs] format fit it? "object" finds a list at [logs] pointer)";
    case Rejection::no_results:
      return "does [logs] format fit it, and pointer, id, score and quoted_numbers?";
    case Rejection::bad_pair:
      return "does [logs] format fit it? [logs] id and score tell where results have them";
    case Rejection::bad_id:
    case Rejection::bad_score:
      return "does [logs] format fit it? With quoted_numbers they may be strings of digits; "
             "id and score tell where results have them";
    case Rejection::too_long:
      return "see [logs] max_line_bytes";
    default:
      return "does [logs] format fit it?";
  }
}

std::string hint_on_rejected(const LineCounts& counts, const miner::LineShape& shape) {
  const auto most = std::ranges::max_element(counts.rejected);
  const auto reason = static_cast<std::size_t>(most - counts.rejected.begin());
  const std::string& first = counts.first_rejected.at(reason);
  std::string hint = grouped(rejected_total(counts)) + " of " + counted(counts.lines, "line") +
                     " rejected, " + grouped(*most) + " as " +
                     std::string(name(static_cast<Rejection>(reason)));
  if (!first.empty()) hint += "; the first of these begins `" + escaped(first) + "`";
  return hint + ": " + advice_on(static_cast<Rejection>(reason), shape);
}

std::string hint_on_scores(const LineCounts& counts, const miner::SelectionSettings& selection) {
  std::string hint = "none of " + counted(counts.unselected, "list") + " selected; ";
  const auto scores = counts.scores.best_scores();
  if (!scores) return hint + "all are empty";
  hint += "their first scores lie between " + significant(scores->least) + " and " +
          significant(scores->greatest) + ", half of them from " + significant(scores->median) + " on";
  return hint + ". It takes a best score of " + significant(selection.min_top_score) +
         " ([selection] min_top_score) and two results of " + significant(selection.min_score) +
         " (min_score), the best one first unless [logs] order says otherwise: see `qdedup mine --dry-run`";
}

// Prints a hint on the first log that needs it, and how many others do.
void report_hint(std::ostream& err, const std::vector<iteration::MinedLog>& logs,
                 bool (*is_needed)(const LineCounts&),
                 const std::function<std::string(const LineCounts&)>& hint) {
  const auto needs_it = [is_needed](const iteration::MinedLog& log) { return is_needed(log.counts); };
  const auto first = std::ranges::find_if(logs, needs_it);
  if (first == logs.end()) return;
  err << "qdedup: " << Verbatim{escaped(first->path)} << ": " << hint(first->counts) << '\n';
  const auto others = std::count_if(std::next(first), logs.end(), needs_it);
  if (others > 0) {
    err << "qdedup: the same goes for " << counted(static_cast<std::uint64_t>(others), "other log") << '\n';
  }
}

struct LogNote {
  bool iteration::MinedLog::*is_so;
  const char* text;
};

constexpr std::array<LogNote, 8> log_notes = {{
    {&iteration::MinedLog::possible_loss,
     "was cut or replaced since it was mined, holds less than was mined of it, or has NUL bytes among its "
     "lines. What stood there may be lost, unless another log holds it"},
    {&iteration::MinedLog::possible_twice,
     "shares lines with a log that was mined; some of them may count twice"},
    {&iteration::MinedLog::no_complete_line,
     "holds no complete line; a line is mined when its line feed is there"},
    {&iteration::MinedLog::mined_in_vain,
     "has nothing new, and all that was mined of it was rejected. When [logs] fits it, `qdedup forget` and "
     "`qdedup forget --undo` have it mined again"},
    {&iteration::MinedLog::waits,
     "ends within compressed data; nothing is mined of it until that is complete"},
    {&iteration::MinedLog::cut_off, "ends within compressed data; what is complete was mined"},
    {&iteration::MinedLog::copy, "repeats a log that is mined already; passed over"},
    {&iteration::MinedLog::left_out,
     "is left out, as somebody forgot this log (`qdedup status`); `qdedup forget --undo` takes it back"},
}};

}  // namespace

std::string path_everywhere(const std::string& named) {
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::absolute(named, failure);
  if (failure || named.empty()) return named;
  if (std::ranges::find(path, "..") == path.end()) return path.lexically_normal();
  const std::filesystem::path folder = std::filesystem::canonical(path.parent_path(), failure);
  return failure ? named : (folder / path.filename()).string();
}

void report_log_problems(Console& console, const iteration::MiningReport& report,
                         const config::Settings& settings, bool quiet) {
  std::ostream& err = console.err();
  for (const iteration::MinedLog& log : report.logs) {
    if (log.problem) console.report(*log.problem);
    if (quiet) continue;
    for (const auto& [is_so, text] : log_notes) {
      if (log.*is_so) err << "qdedup: " << Verbatim{escaped(log.path)} << ": " << text << '\n';
    }
  }
  if (quiet) return;
  report_hint(err, report.logs, is_much_rejected,
              [&](const LineCounts& counts) { return hint_on_rejected(counts, settings.logs.shape); });
  report_hint(err, report.logs, is_nothing_selected,
              [&](const LineCounts& counts) { return hint_on_scores(counts, settings.selection); });
}

Json mining_json(const iteration::MiningReport& report) {
  Json json = line_totals_json(report.totals);
  Json& logs = json["logs"] = Json::array();
  for (const iteration::MinedLog& log : report.logs) {
    Json entry = {{"path", path_text(log.path)}};
    entry.update(line_totals_json(log.counts.totals()));
    entry["copy"] = log.copy;
    entry["left_out"] = log.left_out;
    entry["no_complete_line"] = log.no_complete_line;
    entry["waits"] = log.waits;
    entry["cut_off"] = log.cut_off;
    entry["possible_loss"] = log.possible_loss;
    entry["possible_twice"] = log.possible_twice;
    entry["problem"] = log.problem ? Json(log.problem->message) : Json();
    logs.push_back(std::move(entry));
  }
  return json;
}

std::optional<Error> problem_of(const iteration::MiningReport& report) {
  std::optional<Error> problem;
  std::size_t problems = 0;
  for (const iteration::MinedLog& log : report.logs) {
    if (!log.problem) continue;
    if (!problem) problem = Error{log.problem->code, ""};
    ++problems;
  }
  if (problem) {
    problem->message = std::to_string(problems) + (problems == 1 ? " log" : " logs") +
                       " could not be read, or not to the end";
  }
  return problem;
}

}  // namespace qdedup::cli
