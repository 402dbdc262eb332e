#include "page/decisions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/json_fields.h"
#include "page/pair_json.h"
#include "review/deciding.h"

namespace qdedup::page {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_decisions = 500;

// What a reviewer decided on, and the status that it had for them.
struct Seen {
  review::ListedRow row;
  std::string status;
};

Result<std::vector<Seen>> parse_decisions(std::string_view body) {
  return parsed<std::vector<Seen>>(body, [](const nlohmann::json& json) {
    std::vector<Seen> decisions;
    for (const nlohmann::json& each : json.at("decisions")) {
      Seen seen;
      seen.row.line = decisions.size() + 1;
      seen.row.iteration = each.at("iteration").get<std::int64_t>();
      seen.row.question = id_field(each, "question");
      seen.row.keeper = id_field(each, "keeper");
      seen.row.decision = each.at("decision").get<std::string>();
      seen.row.note = each.value("note", "");
      seen.status = each.at("seen").get<std::string>();
      decisions.push_back(std::move(seen));
    }
    return decisions;
  });
}

// Takes the decisions of one request.
class Taking {
 public:
  Taking(db::Store& store, db::Bank& bank, db::Decider decider)
      : store_(store), deletions_(store), lookup_(store, bank), decider_(std::move(decider)) {}

  // What may be done, and what is refused right away.
  Status look_up(const std::vector<Seen>& decisions) {
    results_.resize(decisions.size());
    for (const Seen& seen : decisions) QDEDUP_TRY(look_up(seen));
    for (const auto& problem : requested_.problems) refuse(problem.line, problem.reason);
    return {};
  }

  Status take(db::StoreWriter& writer) {
    const Result<db::DecisionReport> report = writer.write([this](db::Store& store) {
      return db::Decisions(store).take(requested_.requests, decider_, db::OnRefusal::leave_out, false);
    });
    if (!report.ok()) return report.error();
    for (const auto& refusal : report->refused) refuse(requested_.lines[refusal.request], refusal.reason);
    return {};
  }

  // With what each deletion is by now.
  Result<ordered_json> results(const std::vector<Seen>& decisions) {
    ordered_json json = ordered_json::array();
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      Result<ordered_json> result = result_of(decisions[i].row, results_[i]);
      if (!result.ok()) return std::move(result).error();
      json.push_back(*std::move(result));
    }
    return json;
  }

 private:
  void refuse(std::uint64_t line, const std::string& reason) { results_[line - 1] = reason; }

  Status look_up(const Seen& seen) {
    const auto found = deletions_.find_listed(*seen.row.iteration, seen.row.question);
    if (!found.ok()) return found.error();
    if (found->has_value() && (*found)->keeper == *seen.row.keeper && (*found)->status != seen.status) {
      const Result<bool> before = was_done_before(seen, **found);
      if (!before.ok()) return before.error();
      if (!*before) refuse(seen.row.line, "is " + (*found)->status + " by now");
      return {};
    }
    return lookup_.of_row(seen.row, requested_);
  }

  Result<bool> was_done_before(const Seen& seen, const db::DeletionRow& deletion) {
    const std::optional<db::Decision> decision = db::decision_named(seen.row.decision);
    if (!decision || db::outcome(*decision, seen.status) != deletion.status) return false;
    const Result<std::optional<db::DecisionRecord>> last = db::Decisions(store_).last(deletion.id);
    if (!last.ok()) return last.error();
    return last->has_value() && (*last)->decider.name == decider_.name;
  }

  Result<ordered_json> result_of(const review::ListedRow& row, const std::string& problem) {
    const auto found = deletions_.find_listed(*row.iteration, row.question);
    if (!found.ok()) return found.error();
    if (!found->has_value()) return ordered_json{{"code", 404}, {"reason", "there is no such deletion"}};
    ordered_json json = {{"code", problem.empty() ? 200 : 409}, {"status", (*found)->status}};
    if (problem.empty()) return json;
    json["reason"] = problem;
    json["keeper"] = std::to_string((*found)->keeper);
    const Result<std::optional<db::DecisionRecord>> last = db::Decisions(store_).last((*found)->id);
    if (!last.ok()) return last.error();
    if (last->has_value()) {
      json["decided_by"] = (*last)->decider.name;
      json["decided_at"] = (*last)->decider.at;
    }
    return json;
  }

  db::Store& store_;
  db::Deletions deletions_;
  review::DecisionLookup lookup_;
  db::Decider decider_;
  review::RequestedDecisions requested_;
  std::vector<std::string> results_;  // why refused; empty: done
};

}  // namespace

Answer take_decisions(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                      const db::Decider& decider) {
  const Result<std::vector<Seen>> decisions = parse_decisions(body);
  if (!decisions.ok()) return refusal(decisions.error());
  if (decisions->size() > most_decisions) return refusal({ErrorCode::usage, "too many decisions at once"});
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return refusal(store.error());
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return refusal(bank.error());

  Taking taking(*store, *bank, decider);
  if (const Status found = taking.look_up(*decisions); !found.ok()) return refusal(found.error());
  if (const Status taken = taking.take(writer); !taken.ok()) return refusal(taken.error());
  const Result<ordered_json> results = taking.results(*decisions);
  if (!results.ok()) return refusal(results.error());
  return {200, dumped({{"results", *results}})};
}

}  // namespace qdedup::page
