#include "page/blind_sample.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/samples.h"
#include "page/drawing.h"
#include "page/json_fields.h"
#include "page/pair_json.h"
#include "page/precision.h"

namespace qdedup::page {
namespace {

using nlohmann::ordered_json;

ordered_json record_json(const db::SampleRecord& sample) {
  const Precision precision = precision_of(sample.same, sample.same + sample.different);
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

Result<ordered_json> blind_json(Reading& reading, const db::SamplePair& pair) {
  const auto row = db::Deletions(reading.store).at(pair.deletion_id);
  if (!row.ok()) return row.error();
  if (!row->has_value()) return Error{ErrorCode::internal, "a pair of the sample is not listed any more"};
  Result<PairJson> texts = texts_json(reading, **row);
  if (!texts.ok()) return std::move(texts).error();
  return ordered_json{{"position", pair.position},
                      {"keeper", std::move(texts->keeper)},
                      {"question", std::move(texts->question)},
                      {"judgement", pair.judgement},
                      {"judged_by", pair.judged_by}};
}

struct Drawing {
  std::int64_t size = 0;
  std::optional<std::int64_t> iteration;
};

Result<Drawing> parse_drawing(std::string_view body) {
  Result<Drawing> drawing = parsed<Drawing>(body, [](const nlohmann::json& json) {
    Drawing wanted{json.at("size").get<std::int64_t>(), std::nullopt};
    if (json.contains("iteration")) wanted.iteration = json.at("iteration").get<std::int64_t>();
    return wanted;
  });
  if (drawing.ok() && (drawing->size < 1 || drawing->size > 1000)) {
    return Error{ErrorCode::usage, "a sample has 1 to 1,000 pairs"};
  }
  return drawing;
}

Result<std::vector<std::int64_t>> population(const db::StateFolder& folder, const Drawing& drawing) {
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return std::move(store).error();
  db::DeletionFilter filter;
  filter.iteration = drawing.iteration;
  filter.statuses = {"pending", "approved", "rejected", "applied"};
  filter.confidence = "safe";
  return db::Deletions(*store).ids(filter);
}

struct Judgement {
  std::int64_t sample = 0;
  std::uint64_t position = 0;
  std::string judgement;
};

Result<Judgement> parse_judgement(std::string_view body) {
  Result<Judgement> judgement = parsed<Judgement>(body, [](const nlohmann::json& json) {
    return Judgement{json.at("sample").get<std::int64_t>(), json.at("position").get<std::uint64_t>(),
                     json.at("judgement").get<std::string>()};
  });
  if (!judgement.ok()) return judgement;
  const std::string& word = judgement->judgement;
  if (word.empty() || word == "same" || word == "different") return judgement;
  return Error{ErrorCode::usage, "a pair is the same or different"};
}

}  // namespace

Answer samples_answer(Reading& reading) {
  const Result<std::vector<db::SampleRecord>> samples = db::Samples(reading.store).all();
  if (!samples.ok()) return refusal(samples.error());
  ordered_json json = ordered_json::array();
  for (const db::SampleRecord& sample : *samples) json.insert(json.begin(), record_json(sample));
  return {200, dumped({{"samples", json}})};
}

Answer sample_answer(Reading& reading, const Parameters& parameters) {
  const Result<std::int64_t> id = number_of(parameters, "id", 1, std::numeric_limits<std::int64_t>::max(), 0);
  if (!id.ok()) return refusal(id.error());
  const Result<std::vector<db::SamplePair>> pairs = db::Samples(reading.store).pairs(*id);
  if (!pairs.ok()) return refusal(pairs.error());
  if (pairs->empty()) return refusal({ErrorCode::no_input, "there is no such sample"});
  ordered_json json = ordered_json::array();
  for (const db::SamplePair& pair : *pairs) {
    Result<ordered_json> blind = blind_json(reading, pair);
    if (!blind.ok()) return refusal(blind.error());
    json.push_back(*std::move(blind));
  }
  return {200, dumped({{"id", *id}, {"pairs", json}})};
}

Answer draw_sample(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                   const db::Decider& decider, std::uint64_t seed) {
  const Result<Drawing> drawing = parse_drawing(body);
  if (!drawing.ok()) return refusal(drawing.error());
  const Result<std::vector<std::int64_t>> ids = population(folder, *drawing);
  if (!ids.ok()) return refusal(ids.error());
  if (ids->empty()) return refusal({ErrorCode::no_input, "there are no safe deletions to draw from"});
  const std::vector<std::int64_t> drawn = draw(*ids, static_cast<std::size_t>(drawing->size), seed);
  const Result<std::int64_t> id =
      writer.write([&](db::Store& store) { return db::Samples(store).draw(drawn, ids->size(), decider); });
  if (!id.ok()) return refusal(id.error());
  return {200, dumped({{"id", *id}, {"size", drawn.size()}})};
}

Answer judge(std::string_view body, db::StoreWriter& writer, const db::Decider& decider) {
  const Result<Judgement> judgement = parse_judgement(body);
  if (!judgement.ok()) return refusal(judgement.error());
  const Result<bool> judged = writer.write([&](db::Store& store) {
    return db::Samples(store).judge(judgement->sample, judgement->position, judgement->judgement, decider);
  });
  if (!judged.ok()) return refusal(judged.error());
  if (!*judged) return {409, dumped({{"error", "somebody else judged this pair"}})};
  return {200, dumped({{"judgement", judgement->judgement}})};
}

}  // namespace qdedup::page
