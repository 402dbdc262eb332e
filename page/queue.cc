#include "page/queue.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "page/facets.h"
#include "page/pair_json.h"

namespace qdedup::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_of_a_facet = 40;

std::string place_text(const db::DeletionRow& row) {
  return std::to_string(row.keeper) + "-" + std::to_string(row.question);
}

Status add_member(Reading& reading, const db::DeletionRow& row, ordered_json& groups) {
  Result<PairJson> pair = pair_json(reading, row);
  if (!pair.ok()) return std::move(pair).error();
  if (groups.empty() || groups.back()["keeper"]["id"] != std::to_string(row.keeper)) {
    groups.push_back({{"keeper", std::move(pair->keeper)}, {"members", ordered_json::array()}});
  }
  groups.back()["members"].push_back(std::move(pair->question));
  return {};
}

template <class Value>
ordered_json counts_json(const std::map<Value, std::uint64_t>& counts) {
  ordered_json json = ordered_json::array();
  for (const auto& [value, count] : counts) json.push_back({value, count});
  return json;
}

ordered_json most_frequent(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  sorted.resize(std::min(sorted.size(), most_of_a_facet));
  ordered_json json = ordered_json::array();
  for (const auto& [value, count] : sorted) json.push_back({value, count});
  return json;
}

ordered_json similarity_json(const Facets& facets) {
  ordered_json json = ordered_json::array();
  for (std::size_t percent = 0; percent < facets.similarity.size(); ++percent) {
    if (facets.similarity.at(percent) > 0) json.push_back({percent, facets.similarity.at(percent)});
  }
  return json;
}

// All that the other facets are to be counted over: the statuses, and one question.
db::DeletionFilter without_facets(const db::DeletionFilter& filter) {
  db::DeletionFilter rest;
  rest.statuses = filter.statuses;
  rest.question = filter.question;
  return rest;
}

}  // namespace

Answer queue_answer(Reading& reading, const Parameters& parameters) {
  const Result<db::DeletionFilter> filter = filter_of(parameters);
  if (!filter.ok()) return refusal(filter.error());
  const Result<db::QueuePlace> behind = place_of(parameters);
  if (!behind.ok()) return refusal(behind.error());
  const Result<std::int64_t> limit = number_of(parameters, "limit", 1, 200, 40);
  if (!limit.ok()) return refusal(limit.error());

  const auto most = static_cast<std::size_t>(*limit);
  const auto rows = db::Deletions(reading.store).queue(*filter, *behind, most + 1);
  if (!rows.ok()) return refusal(rows.error());
  ordered_json json = {{"groups", ordered_json::array()}, {"next", nullptr}};
  for (std::size_t i = 0; i < std::min(most, rows->size()); ++i) {
    const Status added = add_member(reading, (*rows)[i], json["groups"]);
    if (!added.ok()) return refusal(added.error());
  }
  if (rows->size() > most) json["next"] = place_text((*rows)[most - 1]);
  return {200, dumped(json)};
}

Answer facets_answer(Reading& reading, const Parameters& parameters) {
  const Result<db::DeletionFilter> filter = filter_of(parameters);
  if (!filter.ok()) return refusal(filter.error());
  const auto tallies = db::Deletions(reading.store).tallies(without_facets(*filter));
  if (!tallies.ok()) return refusal(tallies.error());
  const Facets facets = facets_of(*tallies, *filter);
  const ordered_json json = {{"total", facets.total},
                             {"iteration", counts_json(facets.iterations)},
                             {"confidence", counts_json(facets.confidences)},
                             {"reason", most_frequent(facets.reasons)},
                             {"subject", most_frequent(facets.subjects)},
                             {"similarity", similarity_json(facets)}};
  return {200, dumped(json)};
}

}  // namespace qdedup::page
