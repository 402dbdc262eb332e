#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/clock.h"
#include "db/decisions.h"
#include "db/evidence.h"
#include "db/snapshot.h"
#include "import/question_reader.h"
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

Fit fit(const db::DeletionTally& tally, const db::DeletionFilter& filter) {
  const auto is_wanted = [&filter](std::string_view reason) {
    return reason == filter.reason || refine::reason_name(reason) == filter.reason;
  };
  return {
      .iteration = !filter.iteration || *filter.iteration == tally.iteration,
      .confidence = !filter.confidence || *filter.confidence == tally.confidence,
      .reason = filter.reason.empty() || std::ranges::any_of(tally.reasons.all(), is_wanted),
      .similarity = tally.similarity >= filter.min_similarity && tally.similarity <= filter.max_similarity};
}

void count_reasons(const db::DeletionTally& tally, Facets& facets) {
  for (const std::string_view reason : tally.reasons.all()) {
    if (refine::reason_name(reason) != reason) facets.subjects[std::string(reason)] += tally.deletions;
  }
  for (const std::string_view name : tally.reasons.names())
    facets.reasons[std::string(name)] += tally.deletions;
}

constexpr std::size_t max_facet_values = 40;

std::string place_text(const db::QueuedDeletion& queued) {
  return std::to_string(queued.key) + "-" + std::to_string(queued.row.keeper) + "-" +
         std::to_string(queued.row.question);
}

// Returns the bytes that it added.
Result<std::size_t> add_member(Reading& reading, const db::QueuedDeletion& queued, Json& groups) {
  const db::DeletionRow& row = queued.row;
  QDEDUP_ASSIGN_OR_RETURN(Json pair, pair_json(reading, row));
  pair["question"]["place"] = place_text(queued);
  std::size_t bytes = size_of(pair["question"]);
  if (groups.empty() || groups.back()["keeper"]["id"] != std::to_string(row.keeper)) {
    bytes += size_of(pair["keeper"]);
    groups.push_back({{"keeper", std::move(pair["keeper"])}, {"members", Json::array()}});
  }
  groups.back()["members"].push_back(std::move(pair["question"]));
  return bytes;
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

// What a search looks at and gives at a time.
constexpr std::uint64_t max_searched = 5'000;
constexpr std::size_t max_found = 20;
constexpr std::size_t max_found_by_id = 500;

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view wide_blank = "\u3000";
  std::string spaced(text);
  for (auto at = spaced.find(wide_blank); at != std::string::npos; at = spaced.find(wide_blank, at))
    spaced.replace(at, wide_blank.size(), " ");
  const std::vector<std::string_view> words = words_in(spaced);
  return {words.begin(), words.end()};
}

Json found_json(const db::DeletionRow& row, const std::string& text) {
  return {{"id", std::to_string(row.question)},
          {"keeper", std::to_string(row.keeper)},
          {"iteration", row.iteration},
          {"status", name(row.status)},
          {"text", text}};
}

// A search through the pairs that were listed.
struct Search {
  Reading& reading;
  std::vector<std::string> words;  // that one of the two texts must have; none: any
  Json pairs = Json::array();
  std::uint64_t looked = 0;
  std::int64_t last = 0;  // row that was looked at
  std::size_t bytes = 0;  // of the texts that were found

  [[nodiscard]] bool is_wanted(const std::string& text) const {
    return std::ranges::all_of(
        words, [&text](const std::string& word) { return text.find(word) != std::string::npos; });
  }

  Status look_at(const db::DeletionRow& row) {
    ++looked;
    last = row.id;
    QDEDUP_ASSIGN_OR_RETURN(const auto question, reading.bank.find(row.question));
    const std::string text = question ? question->text : std::string();
    bool wanted = is_wanted(text);
    if (!wanted) {
      QDEDUP_ASSIGN_OR_RETURN(const auto keeper, reading.bank.find(row.keeper));
      wanted = keeper && is_wanted(keeper->text);
    }
    if (!wanted) return {};
    bytes += text.size();
    pairs.push_back(found_json(row, text));
    return {};
  }

  // At the rows before the row `before`; whether there may be more.
  Result<bool> look_at(db::DeletionCursor rows, std::int64_t before) {
    const std::size_t most = words.empty() ? max_found_by_id : max_found;
    while (looked < max_searched && pairs.size() < most && bytes < max_answer_bytes) {
      QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows.next());
      if (!row) return false;
      if (row->id < before) QDEDUP_TRY(look_at(*row));
    }
    return true;
  }
};

}  // namespace

Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter) {
  Facets facets;
  for (const db::DeletionTally& tally : tallies) {
    const Fit fits = fit(tally, filter);
    const std::uint64_t count = tally.deletions;
    if (fits.confidence && fits.reason && fits.similarity) facets.iterations[tally.iteration] += count;
    if (fits.iteration && fits.reason && fits.similarity) facets.confidences[tally.confidence] += count;
    if (fits.iteration && fits.confidence && fits.similarity) count_reasons(tally, facets);
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
  QDEDUP_ASSIGN_OR_RETURN(db::QueuePlace after, place_of(parameters, "after"));
  QDEDUP_ASSIGN_OR_RETURN(const db::QueuePlace at, place_of(parameters, "at"));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t limit, number_of(parameters, "limit", 1, 200, 40));

  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(reading.store));
  db::Deletions deletions(reading.store);
  Json json = {{"groups", Json::array()}, {"next", nullptr}};
  if (at.keeper > 0) {
    after = {at.key, at.keeper, 0};
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t before, deletions.count_before(filter, order, after));
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t before_at, deletions.count_before(filter, order, at));
    json["before"] = before;
    json["at"] = before_at - before;
  }
  const auto max_members = static_cast<std::size_t>(limit);
  QDEDUP_ASSIGN_OR_RETURN(const auto rows, deletions.queue(filter, order, after, max_members + 1));
  std::size_t members = 0;
  for (std::size_t bytes = 0; members < std::min(max_members, rows.size()) && bytes < max_answer_bytes;
       ++members) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t added, add_member(reading, rows[members], json["groups"]));
    bytes += added;
  }
  if (members < rows.size()) json["next"] = place_text(rows[members - 1]);
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

Reply search_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t before,
                          number_of(parameters, "before", 1, max_question_id, max_question_id));
  Search search{reading, words_of(text_of(parameters, "text"))};
  if (search.words.empty()) return Error{ErrorCode::usage, "text: nothing to search for"};
  db::Deletions deletions(reading.store);
  const auto id = search.words.size() == 1 ? import::parse_id(search.words.front()) : std::nullopt;
  if (id) search.words.clear();
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows,
                          id ? deletions.history_of(*id) : deletions.older_than(before));
  QDEDUP_ASSIGN_OR_RETURN(const bool more, search.look_at(std::move(rows), before));
  const Json next = more ? Json(search.last) : Json();
  return {200, {{"pairs", search.pairs}, {"looked", search.looked}, {"next", next}}};
}

Reply own_counts_reply(Reading& reading, const Parameters& parameters, const db::Decider& decider) {
  Json json;
  for (const char* name : {"today", "hour"}) {
    const std::string since = text_of(parameters, name);
    if (!parse_timestamp(since)) {
      return Error{ErrorCode::usage, std::string(name) + ": is no time such as 2026-11-20T03:00:12Z"};
    }
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t count,
                            db::Decisions(reading.store).count_one_by_one(decider, since));
    json[name] = count;
  }
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
