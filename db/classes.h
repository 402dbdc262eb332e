#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/deletions.h"
#include "db/history.h"
#include "db/store.h"

namespace qdedup::db {

// A question of a class other than its representative.
struct ClassMember {
  QuestionId question = 0;
  QuestionId representative = 0;  // the question at the root: without arrivals the smallest id
  QuestionId compared_with = 0;   // the question with which it passed the duplicate test
  std::uint64_t distance = 0;     // of that comparison
  std::uint64_t length = 0;
  bool by_sets = false;
  refine::Confidence confidence = refine::Confidence::safe;
  refine::Reasons reasons;
  refine::Risk risk;
  // Of its open deletion, or of its last one; "arrived" if it is not in the bank but came to be added; "kept"
  // if it was added to the bank, and was never listed.
  std::string status;
  std::optional<std::int64_t> iteration;  // that listed this
};

// A change of a question's class.
struct ClassChange {
  std::int64_t id = 0;
  std::string at;  // RFC 3339: when it happened, the decision was made or the iteration ended
  std::optional<std::int64_t> iteration;  // that made the change, or the newest one at the time
  std::string decided_by;                 // db/decisions.h, Decider::user; empty unless a decision caused it
  std::string given_name;
  QuestionId question = 0;
  std::optional<QuestionId> from;  // representatives; none: in no class, or the representative of one
  std::optional<QuestionId> to;
  std::string reason;
};

struct ClassSize {
  QuestionId representative = 0;
  std::uint64_t questions = 0;  // including the representative
};

struct ClassSummary {
  QuestionId representative = 0;
  std::uint64_t questions = 0;           // including the representative
  std::vector<QuestionId> similar = {};  // the first of the others, ascending
};

using ClassCursor = Cursor<ClassMember>;

// Classes of the same size are by representative.
enum class ClassOrder { representative, largest_first, smallest_first };

// "representative", "largest" or "smallest".
inline constexpr std::array<std::string_view, 3> class_order_names = {"representative", "largest",
                                                                      "smallest"};
std::optional<ClassOrder> class_order_named(std::string_view name);

// The classes, and their history, as ClassUpdater keeps them.
class Classes {
 public:
  explicit Classes(Store& store) : store_(store) {}

  // Of all classes, or of one class those with a larger id than `after`; within a class, by question.
  Result<ClassCursor> members(ClassOrder order);
  Result<ClassCursor> members_of(QuestionId representative, QuestionId after = 0);

  // How many others are in the class of this representative.
  Result<std::uint64_t> count_members(QuestionId representative);

  // At most `limit` classes from the `offset`th on. Sorts all classes, unless they are by representative.
  Result<std::vector<ClassSize>> sizes(ClassOrder order, std::int64_t offset, std::int64_t limit);

  // The question's representative; the question itself if it is in no class.
  Result<QuestionId> representative_of(QuestionId question);

  // The class of each question, with at most `most` of its members. Linear in the members of these classes.
  Result<std::vector<ClassSummary>> summaries_of(std::span<const QuestionId> questions, std::int64_t most);

  // All changes of the questions that are or were in this class, oldest first.
  Result<std::vector<ClassChange>> changes_of(QuestionId representative);

  Result<std::uint64_t> count();

  // Inconsistencies between classes and the pairs they are based on, by kind, then by question, with the
  // representative of its class, or for class-missing the question it duplicates:
  //   class-unheld   the pair that holds it is neither an open deletion nor among the verified pairs, and it
  //                  did not join when it arrived
  //   class-broken   its representative is not that of the question it was compared with
  //   class-missing  it has an open deletion or a verified pair, or arrived, and is in no class
  //   class-history  its changes do not follow one another, or do not lead to its class
  Result<std::vector<Breach>> breaches();

 private:
  Store& store_;
};

}  // namespace qdedup::db
