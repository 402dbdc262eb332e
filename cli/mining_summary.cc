#include "cli/mining_summary.h"

#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/number.h"

namespace qdedup::cli {

void print_line_totals(std::ostream& out, const db::LineTotals& totals) {
  out << counted(totals.lines, "line") << ": " << grouped(totals.selected) << " selected, "
      << grouped(totals.unselected) << " unselected, " << grouped(totals.rejected_total()) << " rejected\n";
  for (const auto& [reason, lines] : totals.rejected) {
    out << "          rejected " << grouped(lines) << ": " << reason << '\n';
  }
}

nlohmann::ordered_json line_totals_json(const db::LineTotals& totals) {
  return {{"lines", totals.lines},
          {"selected", totals.selected},
          {"unselected", totals.unselected},
          {"rejected", totals.rejected},
          {"nul_bytes", totals.nul_bytes}};
}

void tell_log_troubles(std::ostream& err, const iteration::MiningReport& report, bool quiet) {
  for (const iteration::MinedLog& log : report.logs) {
    if (log.problem) err << "qdedup: " << log.problem->message << '\n';
    if (quiet) continue;
    if (log.possible_loss) {
      err << "qdedup: " << log.path
          << ": was cut or replaced since it was mined; read from its start. What was "
          << "written in between may be lost, unless another log holds it\n";
    }
    if (log.waits) {
      err << "qdedup: " << log.path
          << ": ends within compressed data, and may be a log that is known already; "
          << "nothing is mined of it until it is complete\n";
    }
    if (log.cut_off) {
      err << "qdedup: " << log.path << ": ends within compressed data; what there is was mined\n";
    }
    const db::LineTotals& totals = log.totals;
    if (totals.lines > 0 && totals.rejected_total() == totals.lines) {
      err << "qdedup: " << log.path << ": every line was rejected; does [logs] format fit it?\n";
    }
    if (log.copy) err << "qdedup: " << log.path << ": repeats a log that is mined already; passed over\n";
  }
}

nlohmann::ordered_json mining_json(const iteration::MiningReport& report) {
  nlohmann::ordered_json json = line_totals_json(report.totals);
  nlohmann::ordered_json& logs = json["logs"] = nlohmann::ordered_json::array();
  for (const iteration::MinedLog& log : report.logs) {
    nlohmann::ordered_json entry = {{"path", log.path}};
    entry.update(line_totals_json(log.totals));
    entry["copy"] = log.copy;
    entry["waits"] = log.waits;
    entry["cut_off"] = log.cut_off;
    entry["possible_loss"] = log.possible_loss;
    entry["problem"] = log.problem ? nlohmann::ordered_json(log.problem->message) : nlohmann::ordered_json();
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
