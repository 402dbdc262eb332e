#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "refine/confidence.h"

namespace qdedup::refine {

// "`question` is deleted in favour of `keeper`": keeper < question, and the two passed the duplicate test.
struct Deletion {
  QuestionId question;
  QuestionId keeper;

  friend bool operator==(const Deletion&, const Deletion&) = default;
};

// What the choice of keepers needs to know about questions.
struct KeeperOracle {
  // Does the question have a text?
  std::function<bool(QuestionId)> in_bank;
  // The duplicate test. Called only for two different questions with a text, once for a pair in a cluster.
  std::function<bool(QuestionId, QuestionId)> duplicates;
  // Did a reviewer reject this deletion? Called only for duplicates.
  std::function<bool(QuestionId question, QuestionId keeper)> rejected;
};

// A pair of duplicates as the deletion list shows it.
struct AnnotatedDeletion {
  QuestionId question = 0;
  QuestionId keeper = 0;       // smaller than question
  std::uint64_t distance = 0;  // as refine::Comparison has them
  std::uint64_t length = 0;
  Confidence confidence = Confidence::safe;
  Reasons reasons;
  Risk risk;
  std::uint64_t question_hash = 0;  // refine::text_hash
  std::uint64_t keep_hash = 0;
  bool by_sets = false;  // a set measure compared them

  friend bool operator==(const AnnotatedDeletion&, const AnnotatedDeletion&) = default;
};

// What is decided: first as pairs of ids (Deletion), then annotated, as it is stored.
template <class Pair>
struct Outcome {
  std::vector<Pair> deletions;  // new ones
  std::vector<Pair> repointed;  // open deletions that got a new keeper, with that keeper
  std::vector<Pair> further;    // other kept questions that the new ones duplicate as well
  std::uint64_t missing = 0;    // distinct ids, stand-ins in place, without text in the bank
  std::uint64_t held = 0;       // distinct keepers held, without those that a later cluster deleted

  // Adds what was decided about other questions.
  void append(Outcome other) {
    for (const auto list : {&Outcome::deletions, &Outcome::repointed, &Outcome::further}) {
      (this->*list)
          .insert((this->*list).end(), std::move_iterator((other.*list).begin()),
                  std::move_iterator((other.*list).end()));
    }
    missing += other.missing;
    held += other.held;
  }

  // The same, where row(pair) is the row of a pair. share(n, make) calls make(i) for each i below n.
  template <class Row, class Share>
  [[nodiscard]] auto with_rows(const Row& row, const Share& share) const {
    Outcome<std::decay_t<decltype(row(deletions.front()))>> rows;
    const auto fill = [&](const std::vector<Pair>& pairs, auto& filled) {
      filled.resize(pairs.size());
      share(pairs.size(), [&](std::size_t i) { filled[i] = row(pairs[i]); });
    };
    fill(deletions, rows.deletions);
    fill(repointed, rows.repointed);
    fill(further, rows.further);
    rows.missing = missing;
    rows.held = held;
    return rows;
  }

  // By question, then keeper.
  void sort() {
    const auto ids = [](const Pair& pair) { return std::pair(pair.question, pair.keeper); };
    for (const auto list : {&Outcome::deletions, &Outcome::repointed, &Outcome::further})
      std::ranges::sort(this->*list, {}, ids);
  }
};

using KeeperChoice = Outcome<Deletion>;
using AnnotatedOutcome = Outcome<AnnotatedDeletion>;

// Chooses keepers in the clusters of a component, which are taken in the order given (doc/rules.md, 4 and 5).
//
// In each, an id with an open deletion is replaced by its keeper. Then, from the smallest id up, one that
// duplicates a kept id is deleted in favour of the smallest such whose pair was not rejected.
//
// An id that is itself the keeper of open deletions is deleted only if each of its dependants duplicates the
// new keeper and was not rejected with it; they are re-pointed then. Otherwise the id is held: kept, without
// trying the next smallest. A dependant without text duplicates nothing.
//
// `open` are the open deletions that concern the clusters, in any order: every one whose question, or whose
// keeper, occurs in them directly or as a stand-in. No keeper among them is deleted itself.
//
// Deletions and re-pointings are sorted by question, and each question has one at most, with its last keeper.
//
// A listed question is also compared with all that were kept after its keeper in that cluster. Those that it
// duplicates, that were not rejected with it and are kept in the end are `further`, sorted by question, then
// keeper. They decide nothing here.
KeeperChoice choose_keepers(std::span<const std::vector<QuestionId>> clusters, std::span<const Deletion> open,
                            const KeeperOracle& oracle);

// The ids that a cluster has kept so far, and how to find a duplicate among them.
class KeptQuestions {
 public:
  KeptQuestions() = default;
  KeptQuestions(const KeptQuestions&) = delete;
  KeptQuestions& operator=(const KeptQuestions&) = delete;
  virtual ~KeptQuestions() = default;

  // Larger than all before it.
  virtual void keep(QuestionId id) = 0;

  // The smallest `allowed` one that `id` duplicates.
  virtual std::optional<QuestionId> find(QuestionId id, const std::function<bool(QuestionId)>& allowed) = 0;

  // All larger ones, ascending: called right after find(), which returned `keeper` for `id`.
  virtual std::vector<QuestionId> find_beyond(QuestionId id, QuestionId keeper,
                                              const std::function<bool(QuestionId)>& allowed) = 0;
};

// The same for one cluster of any size: each id is looked up in `kept` (empty at first) instead of being
// compared with all that were kept; `oracle.duplicates` is called for dependants alone.
KeeperChoice choose_keepers(std::vector<QuestionId> cluster, std::span<const Deletion> open,
                            const KeeperOracle& oracle, KeptQuestions& kept);

}  // namespace qdedup::refine
