#include "db/learned_weights.h"

#include <optional>
#include <utility>

#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {

Result<std::shared_ptr<const refine::RiskModel>> LearnedWeights::in_force() {
  struct Row {
    std::int64_t id;
    std::string weights;
  };
  const auto row_of = [](SQLite::Statement& row) {
    return Row{row.getColumn(0).getInt64(), row.getColumn(1).getString()};
  };
  QDEDUP_ASSIGN_OR_RETURN(
      const auto row,
      first_row(store_, row_of,
                "SELECT id, weights FROM learned_weights WHERE undone_at = '' ORDER BY id DESC LIMIT 1"));
  if (!row) return std::shared_ptr<const refine::RiskModel>();
  Result<refine::RiskModel> model =
      refine::RiskModel::read(store_.path() + ": learned_weights " + std::to_string(row->id), row->weights);
  if (model.ok()) return std::make_shared<const refine::RiskModel>(*std::move(model));
  return Error{model.error().code,
               model.error().message + "; `qdedup learn --undo` returns to the weights before"};
}

Status LearnedWeights::add(const refine::RiskModel& model, std::uint64_t pairs, const Decider& who) {
  return guarded(store_.path(), [&] {
    run(store_.database(),
        "INSERT INTO learned_weights (learned_at, learned_by, pairs, last_decision, weights) "
        "VALUES (?, ?, ?, (SELECT coalesce(max(id), 0) FROM decision), ?)",
        who.at, display_name(who), pairs, model.text());
  });
}

Result<bool> LearnedWeights::undo(const Decider& who) {
  return guarded(store_.path(), [&] {
    return run(store_.database(),
               "UPDATE learned_weights SET undone_at = ?, undone_by = ? "
               "WHERE id = (SELECT max(id) FROM learned_weights WHERE undone_at = '')",
               who.at, display_name(who)) > 0;
  });
}

Result<std::uint64_t> LearnedWeights::new_decisions() {
  QDEDUP_ASSIGN_OR_RETURN(const auto last,
                          first_row(store_, first_number, "SELECT max(last_decision) FROM learned_weights"));
  QDEDUP_ASSIGN_OR_RETURN(const auto decided, Decisions(store_).decided_one_by_one(last.value_or(0)));
  return std::uint64_t{decided.size()};
}

Result<refine::ContrastSettings> with_weights(refine::ContrastSettings settings, Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(settings.model, LearnedWeights(store).in_force());
  return settings;
}

}  // namespace qdedup::db
