#include "db/deletions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <SQLiteCpp/Statement.h>

#include "base/value_names.h"
#include "db/database.h"
#include "db/deletion_tallies.h"
#include "db/statement.h"
#include "refine/contrast.h"
#include "refine/parts.h"

namespace qdedup::db {
namespace {

constexpr ValueNames<DeletionStatus, 5> status_names = {{{DeletionStatus::applied, "applied"},
                                                         {DeletionStatus::approved, "approved"},
                                                         {DeletionStatus::pending, "pending"},
                                                         {DeletionStatus::rejected, "rejected"},
                                                         {DeletionStatus::withdrawn, "withdrawn"}}};

// The columns of a DeletionRow, and further ones.
std::string select_rows(const std::string& further = "") {
  return "SELECT " + std::string(deletion_columns) + further + " FROM deletion ";
}

// How an order is expressed, `source` after FROM deletion. With an index no more is read than is returned.
struct OrderTerms {
  std::string_view name;
  const char* source;
  const char* key;
};

constexpr std::array<OrderTerms, 5> order_terms = {{
    // in the order of QueueOrder
    {"risk", "INDEXED BY deletion_by_risk ", "risk"},
    {"keeper", "INDEXED BY deletion_by_keeper ", "(0 + 0)"},  // a mere 0 would be the number of a column
    {"similarity", "", "(CASE length WHEN 0 THEN 0 ELSE distance * 10000 / length END)"},
    {"size",
     "LEFT JOIN (SELECT keep_id AS keeper, count(*) AS members FROM deletion WHERE status <> 'withdrawn'"
     " GROUP BY 1) ON keeper = keep_id ",
     "coalesce(members, 0)"},
    {"length", "", "-length"},
}};

const OrderTerms& terms_of(QueueOrder order) { return order_terms.at(static_cast<std::size_t>(order)); }

// The few rows of a question are looked up and sorted.
const char* source_of(QueueOrder order, const DeletionFilter& filter) {
  const bool by_index = order == QueueOrder::risk || order == QueueOrder::keeper;
  return by_index && filter.question ? "" : terms_of(order).source;
}

// The filter as SQL: "WHERE 1 AND …" with a parameter for each value.
std::string condition(const DeletionFilter& filter) {
  std::string condition = "WHERE 1";
  if (filter.iteration) condition += " AND iteration_id = ?";
  if (!filter.statuses.empty()) {
    condition += filter.question ? " AND +status IN (?" : " AND status IN (?";  // +: without its indexes
    for (std::size_t i = 1; i < filter.statuses.size(); ++i) condition += ", ?";
    condition += ")";
  }
  if (filter.confidence) condition += " AND confidence = ?";
  if (!filter.reason.empty()) {
    condition +=
        " AND (instr(';' || reasons || ';', ';' || ? || ';') > 0"
        " OR instr(';' || reasons, ';' || ? || ':') > 0)";
  }
  if (filter.max_risk) condition += " AND risk <= ?";
  if (filter.min_similarity > 0) condition += " AND (length - distance) * 100 >= length * ?";
  if (filter.max_similarity < 100) condition += " AND (length - distance) * 100 < length * ?";
  if (filter.question) {
    condition +=
        " AND id IN (SELECT id FROM deletion WHERE question_id = ? UNION ALL SELECT id FROM deletion "
        "WHERE keep_id = ? AND status IN ('applied', 'approved', 'pending', 'rejected', 'withdrawn'))";
  }
  return condition;
}

// Binds the values of the filter to the parameters from `after` + 1 on; returns the number of the last one.
int bind(SQLite::Statement& rows, const DeletionFilter& filter, int after = 0) {
  if (filter.iteration) bind_value(rows, ++after, *filter.iteration);
  for (const DeletionStatus status : filter.statuses) bind_value(rows, ++after, status);
  if (filter.confidence) bind_value(rows, ++after, *filter.confidence);
  if (!filter.reason.empty()) {
    bind_value(rows, ++after, filter.reason);
    bind_value(rows, ++after, filter.reason);
  }
  if (filter.max_risk) bind_value(rows, ++after, *filter.max_risk);
  if (filter.min_similarity > 0) rows.bind(++after, filter.min_similarity);
  if (filter.max_similarity < 100) rows.bind(++after, filter.max_similarity + 1);
  if (filter.question) {
    bind_value(rows, ++after, *filter.question);
    bind_value(rows, ++after, *filter.question);
  }
  return after;
}

// Whether the table deletion_tally, whose columns have the same names, has all that the filter asks for.
bool is_tallied(const DeletionFilter& filter) {
  return !filter.question && filter.reason.empty() && filter.min_similarity == 0 &&
         filter.max_similarity == 100 &&
         (!filter.max_risk ||
          std::ranges::find(tallied_risks, filter.max_risk->ten_thousandths()) != tallied_risks.end());
}

}  // namespace

std::string_view name(DeletionStatus status) { return name_in(status_names, status); }

std::optional<DeletionStatus> deletion_status_named(std::string_view name) {
  return value_in(status_names, name);
}

std::optional<QueueOrder> queue_order_named(std::string_view name) {
  const auto terms = std::ranges::find(order_terms, name, &OrderTerms::name);
  if (terms == order_terms.end()) return std::nullopt;
  return static_cast<QueueOrder>(terms - order_terms.begin());
}

int whole_similarity(std::uint64_t distance, std::uint64_t length) {
  __extension__ using Wide = unsigned __int128;
  return length == 0 ? 100 : static_cast<int>(Wide{length - std::min(distance, length)} * 100 / length);
}

bool is_open(DeletionStatus status) {
  return status != DeletionStatus::rejected && status != DeletionStatus::withdrawn;
}

DeletionRow deletion_row(SQLite::Statement& row) {
  DeletionRow deletion;
  deletion.id = row.getColumn(0).getInt64();
  deletion.iteration = row.getColumn(1).getInt64();
  deletion.question = row.getColumn(2).getInt64();
  deletion.keeper = row.getColumn(3).getInt64();
  read_measure(row, 4, deletion);
  deletion.status = loaded(row.getColumn(10), deletion_status_named);
  deletion.question_hash = loaded(row.getColumn(11));
  deletion.keep_hash = loaded(row.getColumn(12));
  deletion.note = row.getColumn(13).getString();
  return deletion;
}

Result<DeletionCursor> Deletions::select(const DeletionFilter& filter) {
  return guarded(store_.path(), [&] {
    auto rows = std::make_shared<SQLite::Statement>(
        store_.database(), select_rows() + condition(filter) + " ORDER BY question_id, iteration_id");
    bind(*rows, filter);
    return cursor_of(store_, std::move(rows), deletion_row);
  });
}

// Requires a filter with one status, because the indexes then have the order. Ids ascend while keys descend,
// so those of the place's key and those below are two stretches.
Result<std::vector<QueuedDeletion>> Deletions::queue(const DeletionFilter& filter, QueueOrder order,
                                                     QueuePlace after, std::size_t most) {
  return guarded(store_.path(), [&] {
    const std::string key = terms_of(order).key;
    if (order == QueueOrder::keeper) after.key = 0;
    if (order == QueueOrder::risk && filter.max_risk && filter.max_risk->ten_thousandths() < after.key) {
      after = QueuePlace{filter.max_risk->ten_thousandths()};
    }
    std::vector<QueuedDeletion> page;
    const auto add = [&](const std::string& stretch, const auto&... values) {
      SQLite::Statement rows(store_.database(), select_rows(", " + key) + source_of(order, filter) +
                                                    condition(filter) + " AND " + key + stretch + " LIMIT ?");
      int last = bind(rows, filter);
      (bind_value(rows, ++last, values), ...);
      bind_value(rows, ++last, most - page.size());
      while (rows.executeStep())
        page.push_back({deletion_row(rows), rows.getColumn(deletion_column_count).getInt64()});
    };
    add(" = ? AND (keep_id, question_id) > (?, ?) ORDER BY keep_id, question_id", after.key, after.keeper,
        after.question);
    if (page.size() < most) add(" < ? ORDER BY " + key + " DESC, keep_id, question_id", after.key);
    return page;
  });
}

Result<std::uint64_t> Deletions::count_before(const DeletionFilter& filter, QueueOrder order,
                                              QueuePlace place) {
  return guarded(store_.path(), [&]() -> std::uint64_t {
    const std::string key = terms_of(order).key;
    if (order == QueueOrder::keeper) place.key = 0;
    SQLite::Statement row(store_.database(), std::string("SELECT count(*) FROM deletion ") +
                                                 source_of(order, filter) + condition(filter) + " AND (" +
                                                 key + " > ? OR (" + key +
                                                 " = ? AND (keep_id, question_id) < (?, ?)))");
    int last = bind(row, filter);
    for (const std::int64_t value : {place.key, place.key, place.keeper, place.question}) {
      bind_value(row, ++last, value);
    }
    row.executeStep();
    return loaded(row.getColumn(0));
  });
}

Result<std::vector<DeletionTally>> Deletions::tallies(const DeletionFilter& filter) {
  return guarded(store_.path(), [&] {
    const std::string counted =
        is_tallied(filter) ? "similarity, sum(deletions) FROM deletion_tally "
                           : "CASE length WHEN 0 THEN 100 ELSE (length - distance) * 100 / length END, "
                             "count(*) FROM deletion ";
    SQLite::Statement rows(store_.database(), "SELECT iteration_id, status, confidence, reasons, " + counted +
                                                  condition(filter) + " GROUP BY 1, 2, 3, 4, 5");
    bind(rows, filter);
    std::vector<DeletionTally> tallies;
    while (rows.executeStep()) {
      tallies.push_back({rows.getColumn(0).getInt64(), loaded(rows.getColumn(1), deletion_status_named),
                         loaded(rows.getColumn(2), refine::confidence_named),
                         refine::Reasons(rows.getColumn(3).getString()), rows.getColumn(4).getInt(),
                         loaded(rows.getColumn(5))});
    }
    return tallies;
  });
}

Result<std::vector<std::int64_t>> Deletions::ids(const DeletionFilter& filter) {
  return guarded(store_.path(), [&] {
    SQLite::Statement rows(store_.database(),
                           "SELECT id FROM deletion " + condition(filter) + " ORDER BY id");
    bind(rows, filter);
    return ids_in(rows);
  });
}

Result<std::optional<DeletionRow>> Deletions::at(std::int64_t id) {
  return find_one("WHERE id = ?", id, std::nullopt);
}

Result<DeletionCursor> Deletions::open() {
  return cursor_of(store_, deletion_row, select_rows() + "WHERE " QDEDUP_OPEN " ORDER BY question_id");
}

Result<DeletionCursor> Deletions::history_of(QuestionId question) {
  return cursor_of(
      store_, deletion_row,
      select_rows() +
          "WHERE id IN (SELECT id FROM deletion WHERE question_id = ?1 UNION ALL "
          "SELECT deletion_id FROM repointing WHERE old_keep_id = ?1 OR new_keep_id = ?1 UNION ALL "
          "SELECT id FROM deletion WHERE keep_id = ?1 AND status IN "
          "('applied', 'approved', 'pending', 'rejected', 'withdrawn')) ORDER BY id DESC",
      question);
}

Result<DeletionCursor> Deletions::older_than(std::int64_t id) {
  return cursor_of(store_, deletion_row, select_rows() + "WHERE id < ? ORDER BY id DESC", id);
}

Result<std::optional<DeletionRow>> Deletions::find_one(const char* condition, std::int64_t first,
                                                       std::optional<std::int64_t> second) {
  return guarded(store_.path(), [&] {
    std::shared_ptr<SQLite::Statement>& row = finding_[condition];
    if (!row) row = std::make_shared<SQLite::Statement>(store_.database(), select_rows() + condition);
    // Otherwise its open snapshot would keep the write-ahead log from being reused.
    const std::unique_ptr<SQLite::Statement, void (*)(SQLite::Statement*)> reset(
        row.get(), [](SQLite::Statement* statement) { statement->tryReset(); });
    bind_value(*row, 1, first);
    if (second) bind_value(*row, 2, *second);
    return row->executeStep() ? std::optional(deletion_row(*row)) : std::nullopt;
  });
}

Result<std::optional<DeletionRow>> Deletions::find(QuestionId question, QuestionId keeper) {
  return find_one("WHERE question_id = ? AND keep_id = ? ORDER BY id DESC LIMIT 1", question, keeper);
}

Result<std::optional<DeletionRow>> Deletions::find_listed(std::int64_t iteration, QuestionId question) {
  return find_one("WHERE iteration_id = ? AND question_id = ?", iteration, question);
}

Result<std::optional<DeletionRow>> Deletions::find_newest(QuestionId question) {
  return find_one("WHERE question_id = ? ORDER BY id DESC LIMIT 1", question, std::nullopt);
}

Result<ReopenedPairs> Deletions::reopened() {
  return guarded(store_.path(), [&] {
    ReopenedPairs reopened;
    SQLite::Statement rows(store_.database(), "SELECT id, question_id, keep_id FROM reopened ORDER BY id");
    while (rows.executeStep()) {
      reopened.last_id = rows.getColumn(0).getInt64();
      reopened.pairs.push_back({rows.getColumn(1).getInt64(), rows.getColumn(2).getInt64()});
    }
    return reopened;
  });
}

Result<std::map<std::int64_t, std::int64_t>> Deletions::last_repointings() {
  return guarded(store_.path(), [&] {
    std::map<std::int64_t, std::int64_t> last;
    SQLite::Statement rows(store_.database(),
                           "SELECT deletion_id, max(iteration_id) FROM repointing GROUP BY deletion_id");
    while (rows.executeStep()) last[rows.getColumn(0).getInt64()] = rows.getColumn(1).getInt64();
    return last;
  });
}

Result<std::optional<DeletionRow>> Deletions::open_of(QuestionId question) {
  return find_one("WHERE question_id = ? AND " QDEDUP_OPEN, question, std::nullopt);
}

Result<bool> Deletions::is_applied_for(QuestionId keeper) {
  QDEDUP_ASSIGN_OR_RETURN(const auto found,
                          find_one("WHERE status = 'applied' AND keep_id = ? LIMIT 1", keeper, std::nullopt));
  return found.has_value();
}

Result<std::map<DeletionStatus, std::uint64_t>> Deletions::count_by_status() {
  return guarded(store_.path(), [&] {
    std::map<DeletionStatus, std::uint64_t> counts;
    SQLite::Statement rows(store_.database(),
                           "SELECT status, sum(deletions) FROM deletion_tally GROUP BY status");
    while (rows.executeStep()) {
      counts[loaded(rows.getColumn(0), deletion_status_named)] = loaded(rows.getColumn(1));
    }
    return counts;
  });
}

Result<std::uint64_t> Deletions::count_open() {
  return count_in(store_, "SELECT count(*) FROM deletion WHERE " QDEDUP_OPEN);
}

bool outlives_keeper(const DeletionRow& row) {
  return row.status == DeletionStatus::applied || row.status == DeletionStatus::rejected;
}

Standing standing_of(const DeletionRow& row, const QuestionPair& pair) {
  const auto hash_of = [](const std::optional<BankQuestion>& found) {
    return found ? std::optional(refine::text_hash(found->text)) : std::nullopt;
  };
  return refine::standing_of({row.question_hash, row.keep_hash}, outlives_keeper(row), hash_of(pair.question),
                             hash_of(pair.keeper));
}

Result<Standing> standing_of(const DeletionRow& row, Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const QuestionPair pair, bank.find_pair(row.question, row.keeper));
  return standing_of(row, pair);
}

bool answers_contradict(const DeletionRow& row, const QuestionPair& pair) {
  if (!pair.question || !pair.keeper) return false;
  const std::vector<std::string_view> reasons = row.reasons.all();
  return std::ranges::find(reasons, refine::answer_differs) == reasons.end() &&
         refine::answers_differ({pair.question->text, pair.question->answer},
                                {pair.keeper->text, pair.keeper->answer});
}

}  // namespace qdedup::db
