#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "db/samples.h"
#include "iteration/revalidation.h"
#include "page/pair_json.h"
#include "page/replies.h"
#include "review/reliability.h"

namespace qdedup::page {
namespace {

Json record_json(const db::SampleRecord& sample) {
  const review::ShareEstimate precision = review::estimate_share(sample.same, sample.same + sample.different);
  return {{"id", sample.id},
          {"drawn_at", sample.drawn_at},
          {"drawn_by", sample.drawn_by},
          {"population", sample.population},
          {"size", sample.size},
          {"same", sample.same},
          {"different", sample.different},
          {"precision", precision.share},
          {"low", precision.low},
          {"high", precision.high}};
}

Status add_texts(Reading& reading, const db::SamplePair& pair, Json& json) {
  QDEDUP_ASSIGN_OR_RETURN(auto row, db::Deletions(reading.store).at(pair.deletion_id));
  if (!row) return Error{ErrorCode::internal, "a pair of the sample is not listed any more"};
  db::DeletionRow drawn = *std::move(row);
  drawn.keeper = pair.keeper;
  QDEDUP_ASSIGN_OR_RETURN(Json texts, texts_json(reading, drawn));
  for (auto& [side, text] : texts.items()) json[side] = std::move(text);
  return {};
}

// The position of the first pair that nobody judged; of the first of all where there is none.
std::uint64_t first_open(const std::vector<db::SamplePair>& pairs) {
  const auto open = std::ranges::find_if(pairs, &std::string::empty, &db::SamplePair::judgement);
  return open == pairs.end() ? 1 : open->position;
}

struct SampleRequest {
  std::int64_t size = 0;
  std::optional<std::int64_t> iteration;
};

Result<SampleRequest> parse_sample_request(std::string_view body) {
  SampleRequest request;
  QDEDUP_TRY(read_body(body, [&](const nlohmann::json& json) {
    request.size = number_field(json, "size", 0);
    if (json.contains("iteration")) request.iteration = number_field(json, "iteration", 1);
  }));
  if (request.size >= 1 && request.size <= 1000) return request;
  return Error{ErrorCode::usage, "a sample has 1 to 1,000 pairs"};
}

Result<std::vector<std::int64_t>> population(db::Store& store, const SampleRequest& request) {
  db::DeletionFilter filter;
  filter.iteration = request.iteration;
  filter.statuses = {db::DeletionStatus::pending, db::DeletionStatus::approved, db::DeletionStatus::rejected,
                     db::DeletionStatus::applied};
  filter.confidence = refine::Confidence::safe;
  return db::Deletions(store).ids(filter);
}

// The first so many of which both texts can be shown.
Result<std::vector<std::int64_t>> first_in_bank(const std::vector<std::int64_t>& ids, std::size_t size,
                                                db::Store& store, db::Bank& bank) {
  const auto present = iteration::present_in(bank);
  db::Deletions deletions(store);
  std::vector<std::int64_t> found;
  for (const std::int64_t id : ids) {
    if (found.size() == size) break;
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, deletions.at(id));
    if (!row) continue;
    QDEDUP_ASSIGN_OR_RETURN(const auto question, present(row->question));
    QDEDUP_ASSIGN_OR_RETURN(const auto keeper, present(row->keeper));
    if (question && keeper) found.push_back(id);
  }
  return found;
}

struct Judgement {
  std::int64_t sample = 0;
  std::int64_t position = 0;
  std::string judgement;
};

Result<Judgement> parse_judgement(std::string_view body) {
  Judgement judgement;
  QDEDUP_TRY(read_body(body, [&](const nlohmann::json& json) {
    judgement = {number_field(json, "sample", 0), number_field(json, "position", 0),
                 json.at("judgement").get<std::string>()};
  }));
  const std::string& word = judgement.judgement;
  if (word.empty() || word == "same" || word == "different") return judgement;
  return Error{ErrorCode::usage, "a pair is the same or different"};
}

}  // namespace

// The first steps of a shuffle (Fisher and Yates).
std::vector<std::int64_t> draw(std::vector<std::int64_t> ids, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  size = std::min(size, ids.size());
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t chosen = i + random() % (ids.size() - i);
    std::swap(ids[i], ids[chosen]);
  }
  ids.resize(size);
  return ids;
}

Reply samples_reply(Reading& reading) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::SampleRecord> samples, db::Samples(reading.store).all());
  Json json = Json::array();
  for (const db::SampleRecord& sample : samples) json.insert(json.begin(), record_json(sample));
  return {200, {{"samples", json}}};
}

Reply sample_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t id,
                          number_of(parameters, "id", 1, std::numeric_limits<std::int64_t>::max(), 0));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::SamplePair> pairs, db::Samples(reading.store).pairs(id));
  if (pairs.empty()) return Error{ErrorCode::no_input, "there is no such sample"};
  const auto open = static_cast<std::int64_t>(first_open(pairs));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t from,
                          number_of(parameters, "from", 1, std::numeric_limits<std::int64_t>::max(), open));
  Json json = Json::array();
  std::size_t bytes = 0;
  for (const db::SamplePair& pair : pairs) {
    Json blind = {{"position", pair.position}, {"judgement", pair.judgement}, {"judged_by", pair.judged_by}};
    if (pair.position >= static_cast<std::uint64_t>(from) && bytes < max_answer_bytes) {
      QDEDUP_TRY(add_texts(reading, pair, blind));
      bytes += size_of(blind);
    }
    json.push_back(std::move(blind));
  }
  return {200, {{"id", id}, {"pairs", json}}};
}

Reply draw_sample(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                  const db::Decider& decider, std::uint64_t seed, const db::OnActivity& on_activity) {
  QDEDUP_ASSIGN_OR_RETURN(const SampleRequest request, parse_sample_request(body));
  QDEDUP_ASSIGN_OR_RETURN(Databases databases, Databases::open(folder));
  auto& [reading, bank] = databases;
  reading.on_activity(on_activity);
  bank.on_activity(on_activity);
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::int64_t> ids, population(reading, request));
  QDEDUP_ASSIGN_OR_RETURN(
      const std::vector<std::int64_t> drawn,
      first_in_bank(draw(ids, ids.size(), seed), static_cast<std::size_t>(request.size), reading, bank));
  if (drawn.empty())
    return Error{ErrorCode::no_input, "there are no safe deletions of questions in the bank to draw from"};
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t id, writer.write([&](db::Store& store) {
    return db::Samples(store).draw(drawn, ids.size(), decider);
  }));
  Reply reply(200, {{"id", id}, {"size", drawn.size()}});
  reply.done = "sample " + std::to_string(id) + " of " + std::to_string(drawn.size()) + " drawn";
  return reply;
}

Reply judge(std::string_view body, db::StoreWriter& writer, const db::Decider& decider) {
  QDEDUP_ASSIGN_OR_RETURN(const Judgement judgement, parse_judgement(body));
  QDEDUP_ASSIGN_OR_RETURN(const bool judged, writer.write([&](db::Store& store) {
    return db::Samples(store).judge(judgement.sample, static_cast<std::uint64_t>(judgement.position),
                                    judgement.judgement, decider);
  }));
  if (!judged) return {409, {{"error", "somebody else judged this pair"}}};
  Reply reply(200, {{"judgement", judgement.judgement}});
  reply.done = "1 judged in sample " + std::to_string(judgement.sample);
  return reply;
}

}  // namespace qdedup::page
