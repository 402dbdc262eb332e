#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/evidence.h"
#include "db/iterations.h"
#include "db/learned_weights.h"
#include "page/replies.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

constexpr std::size_t shown_iterations = 26;

// Of one iteration, or of one reason in it.
struct Outcomes {
  std::map<db::DeletionStatus, std::uint64_t> statuses;
  std::map<refine::Confidence, std::uint64_t> confidences;

  void add(const db::DeletionTally& tally) {
    statuses[tally.status] += tally.deletions;
    confidences[tally.confidence] += tally.deletions;
  }
  [[nodiscard]] std::uint64_t with(db::DeletionStatus status) const {
    const auto found = statuses.find(status);
    return found == statuses.end() ? 0 : found->second;
  }
};

using OutcomesByIteration = std::map<std::int64_t, Outcomes>;

// The names of the reasons, each once; "safe" where there are none.
std::set<std::string> names_of(const refine::Reasons& reasons) {
  if (reasons.empty()) return {"safe"};
  std::set<std::string> names;
  for (const std::string_view reason : reasons.all()) names.emplace(refine::reason_name(reason));
  return names;
}

// {"approved":3,…}
template <class Enum>
Json named_counts(const std::map<Enum, std::uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [value, count] : counts) json[std::string(name(value))] = count;
  return json;
}

struct Trend {
  OutcomesByIteration all;
  std::map<std::string, OutcomesByIteration> by_reason;
};

Trend trend_of(const std::vector<db::DeletionTally>& tallies) {
  Trend trend;
  for (const db::DeletionTally& tally : tallies) {
    trend.all[tally.iteration].add(tally);
    for (const std::string& name : names_of(tally.reasons)) {
      trend.by_reason[name][tally.iteration].add(tally);
    }
  }
  return trend;
}

double coverage(const db::IterationCounts& counts, std::uint64_t questions) {
  const std::uint64_t known = counts.ids - std::min(counts.missing, counts.ids);
  return questions == 0 ? 0 : std::min(1.0, static_cast<double>(known) / static_cast<double>(questions));
}

Json iteration_json(const db::IterationRecord& record, const Outcomes& outcomes, std::uint64_t questions) {
  return {{"id", record.id},
          {"kind", record.kind},
          {"finished_at", record.finished_at},
          {"withheld", record.withheld},
          {"lists", record.counts.distinct_lists},
          {"clusters", record.counts.clusters},
          {"ids", record.counts.ids},
          {"missing", record.counts.missing},
          {"deletions", record.counts.deletions},
          {"coverage", coverage(record.counts, questions)},
          {"statuses", named_counts(outcomes.statuses)},
          {"confidences", named_counts(outcomes.confidences)}};
}

Json point_json(std::int64_t iteration, const Outcomes& outcomes) {
  std::uint64_t listed = 0;
  for (const auto& [status, count] : outcomes.statuses) listed += count;
  const std::uint64_t rejected = outcomes.with(db::DeletionStatus::rejected);
  return {{"iteration", iteration},
          {"listed", listed},
          {"decided", outcomes.with(db::DeletionStatus::approved) +
                          outcomes.with(db::DeletionStatus::applied) + rejected},
          {"rejected", rejected}};
}

Json reasons_json(const Trend& trend, std::int64_t first_iteration) {
  Json json = Json::array();
  for (const auto& [reason, iterations] : trend.by_reason) {
    Json points = Json::array();
    for (const auto& [iteration, outcomes] : iterations) {
      if (iteration >= first_iteration) points.push_back(point_json(iteration, outcomes));
    }
    if (!points.empty()) json.push_back({{"reason", reason}, {"points", points}});
  }
  return json;
}

}  // namespace

Reply dashboard_reply(Reading& reading) {
  QDEDUP_ASSIGN_OR_RETURN(std::vector<db::IterationRecord> iterations, db::Iterations(reading.store).all());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::DeletionTally> tallies,
                          db::Deletions(reading.store).tallies({}));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, reading.bank.count());
  QDEDUP_ASSIGN_OR_RETURN(const db::UnconsumedEvidence waiting, db::Evidence(reading.store).unconsumed());
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t decided, db::LearnedWeights(reading.store).new_decisions());

  const std::size_t left_out = iterations.size() - std::min(iterations.size(), shown_iterations);
  iterations.erase(iterations.begin(), iterations.begin() + static_cast<std::ptrdiff_t>(left_out));
  Trend trend = trend_of(tallies);
  Json shown = Json::array();
  for (const db::IterationRecord& record : iterations) {
    shown.push_back(iteration_json(record, trend.all[record.id], questions));
  }
  const std::int64_t first = iterations.empty() ? 0 : iterations.front().id;
  return {200,
          {{"questions", questions},
           {"waiting", {{"lists", waiting.selected}, {"bytes", waiting.bytes}}},
           {"learn", {{"decisions", decided}, {"would_help", decided >= db::enough_to_learn}}},
           {"iterations", shown},
           {"reasons", reasons_json(trend, first)}}};
}

}  // namespace qdedup::page
