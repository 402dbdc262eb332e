#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/evidence.h"
#include "miner/evidence_chunk.h"
#include "page/pair_json.h"
#include "page/replies.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

// In which respects a tally passes the filter.
struct Fit {
  bool iteration;
  bool confidence;
  bool reason;
  bool similarity;
};

Fit fit(const db::DeletionTally& tally, const std::vector<std::string_view>& reasons,
        const db::DeletionFilter& filter) {
  const auto is_wanted = [&filter](std::string_view reason) {
    return reason == filter.reason || refine::reason_name(reason) == filter.reason;
  };
  return {
      .iteration = !filter.iteration || *filter.iteration == tally.iteration,
      .confidence = !filter.confidence || *filter.confidence == tally.confidence,
      .reason = filter.reason.empty() || std::ranges::any_of(reasons, is_wanted),
      .similarity = tally.similarity >= filter.min_similarity && tally.similarity <= filter.max_similarity};
}

void count_reasons(const std::vector<std::string_view>& reasons, std::uint64_t deletions, Facets& facets) {
  std::set<std::string_view> names;
  for (const std::string_view reason : reasons) {
    names.insert(refine::reason_name(reason));
    if (refine::reason_name(reason) != reason) facets.subjects[std::string(reason)] += deletions;
  }
  for (const std::string_view name : names) facets.reasons[std::string(name)] += deletions;
}

constexpr std::size_t max_facet_values = 40;

std::string place_text(const db::DeletionRow& row) {
  return text_of(row.risk) + "-" + std::to_string(row.keeper) + "-" + std::to_string(row.question);
}

Status add_member(Reading& reading, const db::DeletionRow& row, Json& groups) {
  QDEDUP_ASSIGN_OR_RETURN(Json pair, pair_json(reading, row));
  if (groups.empty() || groups.back()["keeper"]["id"] != std::to_string(row.keeper)) {
    groups.push_back({{"keeper", std::move(pair["keeper"])}, {"members", Json::array()}});
  }
  groups.back()["members"].push_back(std::move(pair["question"]));
  return {};
}

template <class Counts>
Json counts_json(const Counts& counts) {
  Json json = Json::array();
  for (const auto& [value, count] : counts) json.push_back({value, count});
  return json;
}

Json most_frequent(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  sorted.resize(std::min(sorted.size(), max_facet_values));
  return counts_json(sorted);
}

// What all facets are counted over: the statuses, one question, and the highest risk.
db::DeletionFilter without_facets(const db::DeletionFilter& filter) {
  db::DeletionFilter rest;
  rest.statuses = filter.statuses;
  rest.question = filter.question;
  rest.max_risk = filter.max_risk;
  return rest;
}

constexpr std::size_t max_evidence_bytes = std::size_t{16} * 1024 * 1024;

// How often two questions were found together.
struct CoOccurrence {
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::uint64_t looked = 0;
  std::uint64_t lists = 0;
  std::optional<double> best;
  std::size_t bytes = 0;

  void look_at(const miner::SeedLists& seen) {
    looked += seen.size();
    for (std::size_t list = 0; list < seen.size(); ++list) {
      const auto ids = seen.ids(list);
      if (std::ranges::find(ids, question) == ids.end() || std::ranges::find(ids, keeper) == ids.end()) {
        continue;
      }
      ++lists;
      best = std::max(best.value_or(seen.top_score(list)), seen.top_score(list));
    }
  }
};

Status look_for(CoOccurrence& found, db::Store& store) {
  return db::Evidence(store).for_each_kept([&found](std::string_view chunk) -> Result<bool> {
    miner::SeedLists lists;
    QDEDUP_TRY(miner::decode_evidence(chunk, lists));
    found.look_at(lists);
    found.bytes += chunk.size();
    return found.bytes < max_evidence_bytes;
  });
}

}  // namespace

Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter) {
  Facets facets;
  for (const db::DeletionTally& tally : tallies) {
    const std::vector<std::string_view> reasons = tally.reasons.all();
    const Fit fits = fit(tally, reasons, filter);
    const std::uint64_t count = tally.deletions;
    if (fits.confidence && fits.reason && fits.similarity) facets.iterations[tally.iteration] += count;
    if (fits.iteration && fits.reason && fits.similarity) facets.confidences[tally.confidence] += count;
    if (fits.iteration && fits.confidence && fits.similarity) count_reasons(reasons, count, facets);
    if (fits.iteration && fits.confidence && fits.reason) {
      facets.similarity[std::clamp(tally.similarity, 0, 100)] += count;
    }
    if (fits.iteration && fits.confidence && fits.reason && fits.similarity) facets.total += count;
  }
  return facets;
}

Reply queue_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const db::DeletionFilter filter, filter_of(parameters));
  QDEDUP_ASSIGN_OR_RETURN(const db::QueueOrder order, order_of(parameters));
  QDEDUP_ASSIGN_OR_RETURN(const db::QueuePlace after, place_of(parameters));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t limit, number_of(parameters, "limit", 1, 200, 40));

  const auto max_members = static_cast<std::size_t>(limit);
  QDEDUP_ASSIGN_OR_RETURN(const auto rows,
                          db::Deletions(reading.store).queue(filter, order, after, max_members + 1));
  Json json = {{"groups", Json::array()}, {"next", nullptr}};
  for (std::size_t i = 0; i < std::min(max_members, rows.size()); ++i) {
    QDEDUP_TRY(add_member(reading, rows[i], json["groups"]));
  }
  if (rows.size() > max_members) json["next"] = place_text(rows[max_members - 1]);
  return {200, json};
}

Reply facets_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const db::DeletionFilter filter, filter_of(parameters));
  QDEDUP_ASSIGN_OR_RETURN(const auto tallies, db::Deletions(reading.store).tallies(without_facets(filter)));
  const Facets facets = facets_of(tallies, filter);
  Json confidences = Json::array();
  for (const auto& [confidence, count] : facets.confidences) confidences.push_back({name(confidence), count});
  const Json json = {{"total", facets.total},
                     {"iteration", counts_json(facets.iterations)},
                     {"confidence", confidences},
                     {"reason", most_frequent(facets.reasons)},
                     {"subject", most_frequent(facets.subjects)},
                     {"similarity", counts_json(facets.similarity)}};
  return {200, json};
}

Reply evidence_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t question,
                          number_of(parameters, "question", min_question_id, max_question_id, 0));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t keeper,
                          number_of(parameters, "keeper", min_question_id, max_question_id, 0));
  CoOccurrence found{.question = question, .keeper = keeper, .best = std::nullopt};
  QDEDUP_TRY(look_for(found, reading.store));
  const Json best = found.best ? Json(*found.best) : Json();
  return {200, {{"lists", found.lists}, {"best", best}, {"looked", found.looked}}};
}

}  // namespace qdedup::page
