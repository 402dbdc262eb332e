#include "review/recheck.h"

#include <optional>
#include <string>
#include <utility>

#include "review/witness.h"

namespace qdedup::review {

Result<Recheck> recheck_approved(db::Store& store, db::Bank& bank, db::DeletionFilter filter) {
  filter.statuses = {"approved"};
  Result<DirectWitness> witness = DirectWitness::create(store, bank);
  if (!witness.ok()) return std::move(witness).error();
  Result<db::DeletionCursor> rows = db::Deletions(store).select(filter);
  if (!rows.ok()) return std::move(rows).error();
  Recheck result;
  while (true) {
    const Result<std::optional<db::DeletionRow>> row = rows->next();
    if (!row.ok()) return row.error();
    if (!row->has_value()) return result;
    const db::DeletionRow& deletion = **row;
    const Result<std::optional<std::string>> breach = witness->breach(deletion);
    if (!breach.ok()) return breach.error();
    if (!*breach) continue;
    result.withdrawn.push_back({deletion.id, **breach});
    if (**breach != "keeper-gone") result.reopened.push_back({deletion.question, deletion.keeper});
  }
}

}  // namespace qdedup::review
