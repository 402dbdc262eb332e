#include "page/batch.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "db/text_hash.h"
#include "page/drawing.h"
#include "page/json_fields.h"
#include "page/pair_json.h"
#include "review/deciding.h"

namespace qdedup::page {
namespace {

using nlohmann::ordered_json;

struct Batch {
  db::DeletionFilter filter;
  std::uint64_t count = 0;
  std::string seen;
  std::string note;
};

// Which pending deletions pass a filter, and a word for exactly these.
struct Passing {
  std::uint64_t count = 0;
  std::string seen;
};

Passing passing_of(const std::vector<std::int64_t>& ids) {
  std::string text;
  for (const std::int64_t id : ids) text += std::to_string(id) + ' ';
  return {ids.size(), std::to_string(db::text_hash(text))};
}

Result<Passing> passing(db::Store& store, const db::DeletionFilter& filter) {
  const Result<std::vector<std::int64_t>> ids = db::Deletions(store).ids(filter);
  if (!ids.ok()) return ids.error();
  return passing_of(*ids);
}

Result<ordered_json> sample_json(Reading& reading, const std::vector<std::int64_t>& ids) {
  ordered_json json = ordered_json::array();
  for (const std::int64_t id : ids) {
    const auto row = db::Deletions(reading.store).at(id);
    if (!row.ok()) return row.error();
    if (!row->has_value()) continue;
    Result<PairJson> pair = pair_json(reading, **row);
    if (!pair.ok()) return std::move(pair).error();
    json.push_back({{"keeper", std::move(pair->keeper)}, {"question", std::move(pair->question)}});
  }
  return json;
}

Result<Batch> parse_batch(std::string_view body) {
  Parameters parameters;
  Result<Batch> batch = parsed<Batch>(body, [&parameters](const nlohmann::json& json) {
    for (const auto& [name, value] : json.at("filter").items()) {
      parameters.emplace_back(name, value.get<std::string>());
    }
    return Batch{{},
                 json.at("count").get<std::uint64_t>(),
                 json.at("seen").get<std::string>(),
                 json.value("note", "")};
  });
  if (!batch.ok()) return batch;
  Result<db::DeletionFilter> filter = filter_of(parameters);
  if (!filter.ok()) return std::move(filter).error();
  if (filter->statuses.front() != "pending")
    return Error{ErrorCode::usage, "only pending deletions are approved"};
  batch->filter = *std::move(filter);
  return batch;
}

Answer changed_meanwhile(std::uint64_t count) {
  const std::string error = "these are other deletions by now, " + std::to_string(count);
  return {409, dumped({{"error", error}, {"count", count}})};
}

Answer approve(const Batch& batch, review::RequestedDecisions requested, db::StoreWriter& writer,
               const db::Decider& decider) {
  const Result<db::DecisionReport> report = writer.write([&](db::Store& store) {
    return db::Decisions(store).take(requested.requests, decider, db::OnRefusal::leave_out, false);
  });
  if (!report.ok()) return refusal(report.error());
  std::map<std::string, std::uint64_t> refused;
  for (const auto& problem : requested.problems) ++refused[problem.reason];
  for (const auto& refusal : report->refused) ++refused[refusal.reason];
  return {200, dumped({{"count", batch.count}, {"approved", report->changed_total()}, {"refused", refused}})};
}

}  // namespace

Answer preview_batch(Reading& reading, const Parameters& parameters, std::uint64_t seed) {
  Result<db::DeletionFilter> filter = filter_of(parameters);
  if (!filter.ok()) return refusal(filter.error());
  const Result<std::int64_t> size = number_of(parameters, "sample_size", 1, 50, 12);
  if (!size.ok()) return refusal(size.error());
  filter->statuses = {"pending"};
  Result<std::vector<std::int64_t>> ids = db::Deletions(reading.store).ids(*filter);
  if (!ids.ok()) return refusal(ids.error());
  const Passing all = passing_of(*ids);
  const auto sample = sample_json(reading, draw(*std::move(ids), static_cast<std::size_t>(*size), seed));
  if (!sample.ok()) return refusal(sample.error());
  return {200, dumped({{"count", all.count}, {"seen", all.seen}, {"sample", *sample}})};
}

Answer approve_batch(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                     const db::Decider& decider, const db::OnActivity& told) {
  const Result<Batch> batch = parse_batch(body);
  if (!batch.ok()) return refusal(batch.error());
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return refusal(store.error());
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return refusal(bank.error());
  store->on_activity(told);
  bank->on_activity(told);
  const Result<Passing> now = passing(*store, batch->filter);
  if (!now.ok()) return refusal(now.error());
  if (now->count != batch->count || now->seen != batch->seen) return changed_meanwhile(now->count);
  Result<review::RequestedDecisions> requested =
      review::DecisionLookup(*store, *bank).of_filter(batch->filter, db::Decision::approve, batch->note);
  if (!requested.ok()) return refusal(requested.error());
  return approve(*batch, *std::move(requested), writer, decider);
}

}  // namespace qdedup::page
