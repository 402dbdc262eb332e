#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/snapshot.h"
#include "page/pair_json.h"
#include "page/replies.h"
#include "refine/parts.h"
#include "review/deciding.h"

namespace qdedup::page {
namespace {

constexpr std::size_t max_decisions = 500;
constexpr std::size_t max_key_bytes = 64;

// What a reviewer decided on, and the status that it had for them.
struct Seen {
  review::ListedRow row;
  std::string texts;                         // texts_mark(); empty where it is not given
  std::optional<db::DeletionStatus> status;  // none: not the name of any
  std::string key;                           // what the page calls the decision; may be empty
};

Result<std::vector<Seen>> parse_decisions(std::string_view body) {
  std::vector<Seen> decisions;
  QDEDUP_TRY(read_body(body, [&](const nlohmann::json& json) {
    for (const nlohmann::json& each : json.at("decisions")) {
      Seen seen;
      seen.row.place.line = decisions.size() + 1;
      seen.row.iteration = number_field(each, "iteration", 1);
      seen.row.question = id_field(each, "question");
      seen.row.keeper = id_field(each, "keeper");
      seen.row.decision = each.at("decision").get<std::string>();
      seen.row.note = note_field(each);
      seen.texts = each.value("texts", "");
      seen.status = db::deletion_status_named(each.at("seen").get<std::string>());
      seen.key = each.value("key", "");
      if (seen.key.size() > max_key_bytes) throw std::invalid_argument("a key is too long");
      decisions.push_back(std::move(seen));
    }
  }));
  if (decisions.size() <= max_decisions) return decisions;
  return Error{ErrorCode::usage, "too many decisions at once"};
}

// Takes the decisions of one request.
class DecisionTaker {
 public:
  DecisionTaker(db::Store& store, db::Bank& bank, db::Decider decider)
      : store_(store), bank_(bank), deletions_(store), lookup_(store, bank), decider_(std::move(decider)) {}

  // What may be done, and what is refused right away.
  Status look_up(const std::vector<Seen>& decisions) {
    results_.resize(decisions.size());
    requested_.max_problems = decisions.size();
    QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store_));
    for (const Seen& seen : decisions) QDEDUP_TRY(look_up(seen));
    for (std::size_t i = 0; i < requested_.requests.size(); ++i) {
      const Seen& seen = decisions[requested_.places[i].line - 1];
      db::DecisionRequest& request = requested_.requests[i];
      QDEDUP_ASSIGN_OR_RETURN(request.looked_at, bank_.find_pair(seen.row.question, *seen.row.keeper));
      request.key = seen.key;
    }
    for (const auto& problem : requested_.problems) refuse(problem.place.line, problem.reason);
    return {};
  }

  Status take(const std::vector<Seen>& decisions, db::StoreWriter& writer) {
    QDEDUP_ASSIGN_OR_RETURN(const db::DecisionReport report, writer.write([this](db::Store& store) {
      return db::Decisions(store).take(requested_.requests, decider_, db::OnRefusal::leave_out, false);
    }));
    for (const auto& refusal : report.refused) {
      const std::uint64_t line = requested_.places[refusal.request].line;
      QDEDUP_TRY(refuse_unless_done(decisions[line - 1], refusal.reason));
    }
    return {};
  }

  // With what each deletion is by now.
  Result<Json> results(const std::vector<Seen>& decisions) {
    Json json = Json::array();
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      QDEDUP_ASSIGN_OR_RETURN(Json result, result_of(decisions[i].row, results_[i]));
      json.push_back(std::move(result));
    }
    return json;
  }

 private:
  void refuse(std::uint64_t line, const std::string& reason) { results_[line - 1] = reason; }

  Status look_up(const Seen& seen) {
    QDEDUP_ASSIGN_OR_RETURN(const auto found, deletions_.find_listed(*seen.row.iteration, seen.row.question));
    QDEDUP_ASSIGN_OR_RETURN(const bool before, was_done_before(seen, found));
    if (before) return {};
    const bool is_of_pair = found.has_value() && found->keeper == *seen.row.keeper;
    if (is_of_pair && !seen.texts.empty() && seen.texts != texts_mark(*found)) {
      refuse(seen.row.place.line, "is of other texts by now");
      return {};
    }
    if (is_of_pair && found->status != seen.status) {
      refuse(seen.row.place.line, "is " + std::string(name(found->status)) + " by now");
      return {};
    }
    return lookup_.of_row(seen.row, requested_);
  }

  // A page that did not get the reply sends its decision again.
  Status refuse_unless_done(const Seen& seen, const std::string& reason) {
    QDEDUP_ASSIGN_OR_RETURN(const auto found, deletions_.find_listed(*seen.row.iteration, seen.row.question));
    QDEDUP_ASSIGN_OR_RETURN(const bool before, was_done_before(seen, found));
    if (!before) refuse(seen.row.place.line, reason);
    return {};
  }

  Result<bool> was_done_before(const Seen& seen, const std::optional<db::DeletionRow>& found) {
    if (!found || seen.key.empty()) return false;
    return db::Decisions(store_).has(found->id, decider_, seen.key);
  }

  Result<Json> result_of(const review::ListedRow& row, const std::string& problem) {
    QDEDUP_ASSIGN_OR_RETURN(const auto found, deletions_.find_listed(*row.iteration, row.question));
    if (!found) return Json{{"code", 404}, {"reason", "there is no such deletion"}};
    Json json = {{"code", problem.empty() ? 200 : 409}, {"status", name(found->status)}};
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::Decider> last,
                            db::Decisions(store_).last_decider(found->id));
    if (last.has_value()) add_decider(*last, json);
    if (problem.empty()) return json;
    json["reason"] = problem;
    json["keeper"] = std::to_string(found->keeper);
    return json;
  }

  db::Store& store_;
  db::Bank& bank_;
  db::Deletions deletions_;
  review::DecisionLookup lookup_;
  db::Decider decider_;
  review::RequestedDecisions requested_;
  std::vector<std::string> results_;  // why refused; empty: done
};

struct Batch {
  db::DeletionFilter filter;
  std::int64_t count = 0;
  std::string seen;
  std::string note;
};

// The deletions of a batch.
struct Chosen {
  std::uint64_t count = 0;
  std::uint64_t doubtful = 0;
  std::string seen;  // a hash that stands for exactly these, with these keepers, texts and verdicts
};

std::string pair_text(const db::DeletionRow& row) {
  std::string text;
  for (const auto number : {static_cast<std::uint64_t>(row.id), static_cast<std::uint64_t>(row.keeper),
                            row.question_hash, row.keep_hash}) {
    text += std::to_string(number) + ' ';
  }
  return text + std::string(name(row.confidence)) + ' ' + text_of(row.risk);
}

Result<Chosen> chosen_by(const db::DeletionFilter& filter, db::Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, db::Deletions(store).select(filter));
  Chosen chosen;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, rows.next());
    if (!row) return chosen;
    ++chosen.count;
    if (row->confidence == refine::Confidence::doubtful) ++chosen.doubtful;
    chosen.seen = std::to_string(refine::text_hash(chosen.seen + ' ' + pair_text(*row)));
  }
}

Result<Batch> parse_batch(std::string_view body) {
  Batch batch;
  Parameters parameters;
  QDEDUP_TRY(read_body(body, [&](const nlohmann::json& json) {
    for (const auto& [name, value] : json.at("filter").items()) {
      parameters.emplace_back(name, value.get<std::string>());
    }
    batch.count = number_field(json, "count", 0);
    batch.seen = json.at("seen").get<std::string>();
    batch.note = note_field(json);
  }));
  QDEDUP_ASSIGN_OR_RETURN(batch.filter, filter_of(parameters));
  if (batch.filter.statuses.front() == db::DeletionStatus::pending) return batch;
  return Error{ErrorCode::usage, "only pending deletions are approved"};
}

// "3 approved, 1 refused".
std::string summary_of(const Json& results) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& result : results)
    ++counts[result.at("code") == 200 ? result.at("status").get<std::string>() : "refused"];
  std::string text;
  for (const auto& [what, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
  return text;
}

Reply approve(review::RequestedDecisions requested, db::StoreWriter& writer, const db::Decider& decider) {
  QDEDUP_ASSIGN_OR_RETURN(const db::DecisionReport report, writer.write([&](db::Store& store) {
    return db::Decisions(store).take(requested.requests, decider, db::OnRefusal::leave_out, false);
  }));
  std::map<std::string, std::uint64_t> refused = std::move(requested.refused);
  for (const auto& refusal : report.refused) ++refused[refusal.kind];
  Reply reply(200, {{"approved", report.changed_total()}, {"refused", refused}});
  reply.done = std::to_string(report.changed_total()) + " approved, as a batch";
  return reply;
}

}  // namespace

Reply take_decisions(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                     const db::Decider& decider) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<Seen> decisions, parse_decisions(body));
  QDEDUP_ASSIGN_OR_RETURN(Databases databases, Databases::open(folder));
  auto& [store, bank] = databases;

  DecisionTaker taker(store, bank, decider);
  QDEDUP_TRY(taker.look_up(decisions));
  QDEDUP_TRY(taker.take(decisions, writer));
  QDEDUP_ASSIGN_OR_RETURN(const Json results, taker.results(decisions));
  Reply reply(200, {{"results", results}});
  reply.done = summary_of(results);
  return reply;
}

Reply preview_batch(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionFilter filter, filter_of(parameters));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t limit, number_of(parameters, "limit", 1, 50, 20));
  filter.statuses = {db::DeletionStatus::pending};
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(reading.store));
  QDEDUP_ASSIGN_OR_RETURN(const Chosen chosen, chosen_by(filter, reading.store));
  QDEDUP_ASSIGN_OR_RETURN(
      const auto rows,
      db::Deletions(reading.store).queue(filter, db::QueueOrder::risk, {}, static_cast<std::size_t>(limit)));
  Json riskiest = Json::array();
  for (std::size_t i = 0, bytes = 0; i < rows.size() && bytes < max_answer_bytes; ++i) {
    QDEDUP_ASSIGN_OR_RETURN(Json pair, pair_json(reading, rows[i].row));
    bytes += size_of(pair);
    riskiest.push_back(std::move(pair));
  }
  return {200,
          {{"count", chosen.count},
           {"doubtful", chosen.doubtful},
           {"seen", chosen.seen},
           {"riskiest", std::move(riskiest)}}};
}

Reply approve_batch(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                    const db::Decider& decider, const db::OnActivity& on_activity) {
  QDEDUP_ASSIGN_OR_RETURN(const Batch batch, parse_batch(body));
  QDEDUP_ASSIGN_OR_RETURN(Databases databases, Databases::open(folder));
  auto& [store, bank] = databases;
  store.on_activity(on_activity);
  bank.on_activity(on_activity);
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store));
  QDEDUP_ASSIGN_OR_RETURN(const Chosen chosen, chosen_by(batch.filter, store));
  if (chosen.count != static_cast<std::uint64_t>(batch.count) || chosen.seen != batch.seen) {
    const std::string error = "these are other deletions by now, " + std::to_string(chosen.count);
    return {409, {{"error", error}, {"count", chosen.count}}};
  }
  QDEDUP_ASSIGN_OR_RETURN(
      review::RequestedDecisions requested,
      review::DecisionLookup(store, bank).of_filter(batch.filter, db::Decision::approve, batch.note));
  return approve(std::move(requested), writer, decider);
}

}  // namespace qdedup::page
