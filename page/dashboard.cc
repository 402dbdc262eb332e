#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/decisions.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "db/learned_weights.h"
#include "db/samples.h"
#include "page/replies.h"
#include "review/deletion_list.h"
#include "review/reliability.h"

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

// {"approved":3,…}
template <class Enum>
Json named_counts(const std::map<Enum, std::uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [value, count] : counts) json[std::string(name(value))] = count;
  return json;
}

struct Trend {
  std::map<std::int64_t, Outcomes> by_iteration;
  std::map<std::string, Outcomes> by_reason;
};

// From an iteration on.
Trend trend_of(const std::vector<db::DeletionTally>& tallies, std::int64_t first) {
  Trend trend;
  for (const db::DeletionTally& tally : tallies) {
    if (tally.iteration < first) continue;
    trend.by_iteration[tally.iteration].add(tally);
    std::vector<std::string_view> names = tally.reasons.names();
    if (names.empty()) names = {"safe"};
    for (const std::string_view name : names) trend.by_reason[std::string(name)].add(tally);
  }
  return trend;
}

// What the lists of the last iteration that had any named, of today's bank; null where there was none. (How
// large the bank was at earlier ones is not known any more.)
Json coverage(const std::vector<db::IterationRecord>& iterations, std::uint64_t questions) {
  const auto last = std::find_if(iterations.rbegin(), iterations.rend(), [](const db::IterationRecord& each) {
    return each.kind != "sweep" && each.counts.distinct_lists > 0;
  });
  if (last == iterations.rend() || questions == 0) return nullptr;
  const std::uint64_t known = last->counts.ids - std::min(last->counts.missing, last->counts.ids);
  return {{"iteration", last->id},
          {"share", std::min(1.0, static_cast<double>(known) / static_cast<double>(questions))}};
}

Json iteration_json(const db::IterationRecord& record, const Outcomes& outcomes) {
  return {{"id", record.id},
          {"kind", record.kind},
          {"finished_at", record.finished_at},
          {"withheld", record.withheld},
          {"lists", record.counts.distinct_lists},
          {"clusters", record.counts.clusters},
          {"deletions", record.counts.deletions},
          {"statuses", named_counts(outcomes.statuses)},
          {"confidences", named_counts(outcomes.confidences)}};
}

// {`whole`: 40, `part`: 12, "share": 0.3, "low": …, "high": …}
Json share_json(const char* whole, std::uint64_t all, const char* part, std::uint64_t some) {
  const review::ShareEstimate estimate = review::estimate_share(some, all);
  return {
      {whole, all}, {part, some}, {"share", estimate.share}, {"low", estimate.low}, {"high", estimate.high}};
}

Json reasons_json(const Trend& trend) {
  Json json = Json::array();
  for (const auto& [reason, outcomes] : trend.by_reason) {
    const std::uint64_t kept =
        outcomes.with(db::DeletionStatus::approved) + outcomes.with(db::DeletionStatus::applied);
    const std::uint64_t rejected = outcomes.with(db::DeletionStatus::rejected);
    if (kept + rejected == 0) continue;
    Json entry = share_json("decided", kept + rejected, "rejected", rejected);
    entry["reason"] = reason;
    json.push_back(std::move(entry));
  }
  return json;
}

// What somebody did, where people decided and where they judged blind.
Json reviewers_json(const std::vector<db::DecidedWork>& decided, const std::vector<db::BlindWork>& judged) {
  std::map<std::string, std::pair<db::DecidedWork, db::BlindWork>> people;
  for (const db::DecidedWork& work : decided) people[work.by].first = work;
  for (const db::BlindWork& work : judged) people[work.by].second = work;
  Json json = Json::array();
  for (const auto& [by, work] : people) {
    json.push_back(
        {{"name", by},
         {"approved", work.first.approved},
         {"rejected", work.first.rejected},
         {"last_at", work.first.last_at},
         {"judged", work.second.judged},
         {"agreement", share_json("compared", work.second.compared, "agreed", work.second.agreed)}});
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
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::DecidedWork> work, db::Decisions(reading.store).work());
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::BlindWork> blind, db::Samples(reading.store).work());

  const std::size_t left_out = iterations.size() - std::min(iterations.size(), shown_iterations);
  iterations.erase(iterations.begin(), iterations.begin() + static_cast<std::ptrdiff_t>(left_out));
  Trend trend = trend_of(tallies, iterations.empty() ? 0 : iterations.front().id);
  Json shown = Json::array();
  for (const db::IterationRecord& record : iterations)
    shown.push_back(iteration_json(record, trend.by_iteration[record.id]));
  return {200,
          {{"questions", questions},
           {"coverage", coverage(iterations, questions)},
           {"waiting_lists", waiting.selected},
           {"learn", {{"decisions", decided}, {"would_help", decided >= db::enough_to_learn}}},
           {"iterations", shown},
           {"reasons", reasons_json(trend)},
           {"reviewers", reviewers_json(work, blind)}}};
}

}  // namespace qdedup::page
