#include "review/judged_pairs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "db/decisions.h"
#include "db/deletions.h"
#include "db/snapshot.h"
#include "refine/pair_features.h"

namespace qdedup::review {
namespace {

using Ids = std::pair<QuestionId, QuestionId>;

Result<std::map<Ids, db::DeletionRow>> decided_pairs(db::Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::int64_t> ids, db::Decisions(store).decided_one_by_one());
  std::map<Ids, db::DeletionRow> pairs;
  db::Deletions deletions(store);
  for (const std::int64_t id : ids) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> row, deletions.at(id));
    if (row) pairs.insert_or_assign(Ids{row->question, row->keeper}, *row);
  }
  return pairs;
}

// The texts by which a pair was compared, as far as they are known: those that were looked at, or those of
// the bank.
Result<db::QuestionPair> compared_texts(const db::DeletionRow& row, db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(db::QuestionPair texts, db::Decisions(store).texts_looked_at(row));
  if (texts.question && texts.keeper) return texts;
  QDEDUP_ASSIGN_OR_RETURN(db::QuestionPair present, bank.find_pair(row.question, row.keeper));
  if (db::standing_of(row, present) != db::Standing::holds) return db::QuestionPair();
  return present;
}

}  // namespace

Result<std::vector<refine::JudgedPair>> judged_pairs(db::Store& store, db::Bank& bank,
                                                     const refine::ContrastSettings& settings) {
  QDEDUP_ASSIGN_OR_RETURN(const auto decided, decided_pairs(store));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, bank.character_counts());
  std::vector<refine::JudgedPair> pairs;
  for (const auto& [ids, row] : decided) {
    QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair pair, compared_texts(row, store, bank));
    const auto& [question, keeper] = pair;
    if (!question || !keeper) continue;
    const refine::Contrast contrast = refine::contrast({question->text, question->answer},
                                                       {keeper->text, keeper->answer}, characters, settings);
    if (refine::is_doubtful_beside_words(contrast)) continue;
    refine::PairFeatures features =
        refine::pair_features(refine::TextForms(question->text), refine::TextForms(keeper->text), characters);
    if (std::ranges::count(features.values, 0) == std::ssize(features.values)) continue;
    features.findings.clear();
    pairs.push_back({std::move(features), static_cast<std::uint64_t>(row.keeper),
                     row.status != db::DeletionStatus::rejected});
  }
  return pairs;
}

}  // namespace qdedup::review
