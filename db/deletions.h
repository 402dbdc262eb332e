#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/store.h"
#include "refine/confidence.h"
#include "refine/keepers.h"
#include "refine/standing.h"

namespace qdedup::db {

enum class DeletionStatus : std::uint8_t {  // in order of their names, as in reports
  applied,
  approved,
  pending,
  rejected,
  withdrawn,
};

// "pending" and so on; and the inverse.
std::string_view name(DeletionStatus status);
std::optional<DeletionStatus> deletion_status_named(std::string_view name);

// Pending, approved or applied.
bool is_open(DeletionStatus status);

// Which deletions to select; an empty field does not restrict.
struct DeletionFilter {
  std::optional<std::int64_t> iteration{};
  std::vector<DeletionStatus> statuses{};
  std::optional<refine::Confidence> confidence{};
  std::string reason{};  // one of the reasons; "polarity" is any "polarity:X/Y"
  std::optional<refine::Risk> max_risk{};
  int min_similarity = 0;                // percent
  int max_similarity = 100;              // whole percent: 89 includes everything below 90
  std::optional<QuestionId> question{};  // on either side
};

// A listed deletion.
struct DeletionRow : refine::AnnotatedDeletion {
  std::int64_t id = 0;  // the row's
  std::int64_t iteration = 0;
  DeletionStatus status = DeletionStatus::pending;
  std::string note;
};

// A pair that was withdrawn between iterations, for the next one to decide anew.
struct ReopenedPair {
  QuestionId question = 0;
  QuestionId keeper = 0;
};

struct ReopenedPairs {
  std::int64_t last_id = 0;  // the newest one's; 0 if there is none
  std::vector<ReopenedPair> pairs;
};

// By what the queue is ordered; deletions that agree in that are ordered by keeper and question.
enum class QueueOrder : std::uint8_t {
  risk,  // the riskiest first
  keeper,
  similarity,  // the least alike first
  size,        // the largest groups first: the deletions of one keeper, decided or not
  length,      // the shortest first
};

// "risk" and so on.
std::optional<QueueOrder> queue_order_named(std::string_view name);

// Where a deletion is in the queue, or would be: keys descend, ids ascend. A default place precedes all.
struct QueuePlace {
  std::int64_t key = std::numeric_limits<std::int64_t>::max();
  QuestionId keeper = 0;
  QuestionId question = 0;
};

struct QueuedDeletion {
  DeletionRow row;
  std::int64_t key = 0;  // of its place
};

// In whole percent, rounded down; 100 if `length` is 0.
int whole_similarity(std::uint64_t distance, std::uint64_t length);

// The number of deletions that agree in all these fields.
struct DeletionTally {
  std::int64_t iteration = 0;
  DeletionStatus status = DeletionStatus::pending;
  refine::Confidence confidence = refine::Confidence::safe;
  refine::Reasons reasons;
  int similarity = 0;  // whole_similarity
  std::uint64_t deletions = 0;
};

using DeletionCursor = Cursor<DeletionRow>;

// The columns of DeletionRow in the table; and such a row, which begins with these. Throws what the library
// throws.
inline constexpr std::string_view deletion_columns =
    "id, iteration_id, question_id, keep_id, distance, length, by_sets, confidence, reasons, risk, status, "
    "question_hash, keep_hash, note";
inline constexpr int deletion_column_count = 14;
DeletionRow deletion_row(SQLite::Statement& row);

// The store must outlive it.
class Deletions {
 public:
  explicit Deletions(Store& store) : store_(store) {}

  // Rows that match `filter`, by question, then by iteration.
  Result<DeletionCursor> select(const DeletionFilter& filter);

  // At most `most` rows that match `filter`, which names one status, in this order, following `after`. Time
  // is linear in the rows returned and those skipped in between; with orders other than risk and keeper, in
  // all rows of the status.
  Result<std::vector<QueuedDeletion>> queue(const DeletionFilter& filter, QueueOrder order, QueuePlace after,
                                            std::size_t most);

  // How many rows that match `filter`, which names one status, precede `place`. Linear in the rows of the
  // status.
  Result<std::uint64_t> count_before(const DeletionFilter& filter, QueueOrder order, QueuePlace place);

  // All rows that match `filter`, counted: from what is kept of that (db/deletion_tallies.h), if the filter
  // asks for no question, reason or similarity, and for no highest risk but one of tallied_risks; otherwise
  // in one pass.
  Result<std::vector<DeletionTally>> tallies(const DeletionFilter& filter);

  // The ids of matching rows, ascending; and the row with an id.
  Result<std::vector<std::int64_t>> ids(const DeletionFilter& filter);
  Result<std::optional<DeletionRow>> at(std::int64_t id);

  // The open deletions (pending, approved or applied), by question; each question has at most one.
  Result<DeletionCursor> open();

  // Everything ever listed with this question on either side, the newest first.
  Result<DeletionCursor> history_of(QuestionId question);

  // Everything listed in rows before the row `id`, the newest first.
  Result<DeletionCursor> older_than(std::int64_t id);

  // The newest deletion of `question` in favour of `keeper`.
  Result<std::optional<DeletionRow>> find(QuestionId question, QuestionId keeper);

  // What `iteration` listed of `question`.
  Result<std::optional<DeletionRow>> find_listed(std::int64_t iteration, QuestionId question);

  // The newest deletion of `question`.
  Result<std::optional<DeletionRow>> find_newest(QuestionId question);

  // The pairs waiting for the next iteration, in the order in which they were withdrawn.
  Result<ReopenedPairs> reopened();

  // The iteration that last re-pointed each deletion, by the deletion's id.
  Result<std::map<std::int64_t, std::int64_t>> last_repointings();

  // Whether a deletion in favour of the question was carried out.
  Result<bool> is_applied_for(QuestionId keeper);

  // The open deletion of `question`.
  Result<std::optional<DeletionRow>> open_of(QuestionId question);

  // The number of deletions of each status, as they are tallied; a status without any is left out.
  Result<std::map<DeletionStatus, std::uint64_t>> count_by_status();
  // Counts them one by one.
  Result<std::uint64_t> count_open();

 private:
  Result<std::optional<DeletionRow>> find_one(const char* condition, std::int64_t first,
                                              std::optional<std::int64_t> second);

  Store& store_;
  std::map<std::string, std::shared_ptr<SQLite::Statement>> finding_;  // by condition
};

// Whether a deletion is still valid for the texts that were compared.
using refine::Standing;

// Deletions that were applied or rejected do (refine::standing_of).
bool outlives_keeper(const DeletionRow& row);

// Compares `row` with the questions now in the bank.
Standing standing_of(const DeletionRow& row, const QuestionPair& pair);

// The same, reading both questions from the bank.
Result<Standing> standing_of(const DeletionRow& row, Bank& bank);

// Have the answers of the two come to contradict each other since they were listed?
bool answers_contradict(const DeletionRow& row, const QuestionPair& pair);

}  // namespace qdedup::db
