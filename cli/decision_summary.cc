#include "cli/decision_summary.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/printable.h"

namespace qdedup::cli {
namespace {

// Rows of a list that are told one by one; more are only counted.
constexpr std::size_t problems_told = 100;

constexpr std::array<const char*, db::decision_kinds> done = {"approved", "rejected", "reset", "applied"};

void tell_problems(const Session& session, const review::RequestedDecisions& requested,
                   const std::string& list) {
  std::size_t told = 0;
  for (const auto& problem : requested.problems) {
    if (problem.line == 0) continue;
    if (++told > problems_told) break;
    session.err() << list << ':' << problem.line << ": " << printable(problem.reason) << '\n';
  }
  if (told <= problems_told) return;
  session.err() << list << ": " << grouped(requested.problems.size() - problems_told)
                << " more rows were refused; they are only counted\n";
}

void print_text(std::ostream& out, const DecisionSummary& summary) {
  if (summary.trial) out << "dry run, nothing is changed: ";
  if (!summary.trial && !summary.kept) out << "nothing was changed: ";
  std::string counts;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const std::uint64_t changed = summary.report.changed.at(i);
    if (changed > 0) counts += (counts.empty() ? "" : ", ") + grouped(changed) + " " + done.at(i);
  }
  out << (counts.empty() ? "no change" : counts);
  if (summary.report.unchanged > 0) out << "; " << grouped(summary.report.unchanged) << " were so already";
  if (summary.undecided > 0) out << "; " << grouped(summary.undecided) << " without a decision";
  out << '\n';
  for (const auto& [reason, count] : summary.refused) {
    out << "  refused " << grouped(count) << ": " << printable(reason) << '\n';
  }
}

}  // namespace

Result<DecisionSummary> take_decisions(const Session& session, WritableState& state,
                                       review::RequestedDecisions requested, const std::string& decider,
                                       db::OnRefusal on_refusal, bool trial, const std::string& list) {
  DecisionSummary summary;
  const bool leave_out = on_refusal == db::OnRefusal::leave_out;
  const bool refused_before = !requested.problems.empty() && !leave_out;
  const db::Decider who = {decider.empty() ? session.user() : decider, timestamp(session.clock().now())};
  Result<db::DecisionReport> report = state.store.write([&](db::Store& store) {
    return db::Decisions(store).take(requested.requests, who, on_refusal, trial || refused_before);
  });
  if (!report.ok()) return std::move(report).error();
  for (const auto& refusal : report->refused) {
    requested.problems.push_back({requested.lines[refusal.request], refusal.reason});
  }
  std::ranges::stable_sort(requested.problems, {}, &review::RequestedDecisions::Problem::line);
  tell_problems(session, requested, list);
  for (const auto& problem : requested.problems) ++summary.refused[problem.reason];
  summary.report = *std::move(report);
  summary.undecided = requested.undecided;
  summary.trial = trial;
  summary.kept = leave_out || requested.problems.empty();
  if (!summary.kept) summary.report.changed = {};
  return summary;
}

void print_decisions(const Session& session, const DecisionSummary& summary) {
  if (!session.json()) return print_text(session.out(), summary);
  nlohmann::ordered_json json = {{"dry_run", summary.trial}};
  for (std::size_t i = 0; i < done.size(); ++i) json[done.at(i)] = summary.report.changed.at(i);
  json["unchanged"] = summary.report.unchanged;
  json["undecided"] = summary.undecided;
  json["refused"] = summary.refused;
  print_json(session.out(), json);
}

}  // namespace qdedup::cli
