#include "db/deletion_tallies.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/decisions.h"
#include "db/iterations.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The twin: the tallies as anybody would count them.
constexpr auto counted =
    "SELECT status, iteration_id, confidence, reasons, "
    "iif(length = 0, 100, (length - distance) * 100 / length), "
    "(SELECT min(value) FROM json_each('[10, 50, 100, 200, 500, 1000, 2000, 5000, 10000]') WHERE value >= "
    "risk), count(*) FROM deletion GROUP BY 1, 2, 3, 4, 5, 6";

// A store whose deletions are changed at random, in every way in which the program does.
class ChangedStore {
 public:
  explicit ChangedStore(unsigned seed)
      : random_(seed), store_(must(Store::open(state_, Access::read_write))) {}

  void iterate() {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.record.settings = "{}";
    draft.record.withheld = chance(8);
    if (chance(2)) draft.policy.highest_risk = refine::Risk(number(0, 300));
    const std::set<QuestionId> open = ids("SELECT question_id FROM deletion WHERE " + is_open);
    for (const QuestionId id : open) {
      if (chance(6)) draft.outcome.repointed.push_back(pair(id));
    }
    for (QuestionId id = 2; id < 60; ++id) {
      if (!open.contains(id) && chance(5)) draft.outcome.deletions.push_back(pair(id));
    }
    must(Iterations(store_).commit(draft, 5));
  }

  void decide() {
    std::vector<DecisionRequest> requests;
    for (const std::int64_t id : ids("SELECT id FROM deletion")) {
      if (chance(3)) {
        requests.push_back(
            {id, static_cast<Decision>(number(0, decision_kinds - 1)), chance(2) ? "a note" : ""});
      }
    }
    const auto on_refusal = chance(2) ? OnRefusal::leave_out : OnRefusal::change_nothing;
    must(Decisions(store_).take(requests, {"ann", "2026-11-20T10:00:00Z"}, on_refusal, chance(4)));
  }

  void withdraw() {
    std::vector<Withdrawal> withdrawals;
    for (const std::int64_t id : ids("SELECT id FROM deletion WHERE status <> 'withdrawn'")) {
      if (chance(6)) withdrawals.push_back({id, "text-changed"});
    }
    ASSERT_TRUE(Decisions(store_).withdraw(withdrawals, {}, "2026-11-20T10:00:00Z").ok());
  }

  // How many rows of the table the twin lacks, and how many it has beside.
  [[nodiscard]] std::string differences() const {
    const std::string tallied = "SELECT * FROM deletion_tally";
    const auto lacking = [](const std::string& one, const std::string& other) {
      return "SELECT count(*) FROM (" + one + " EXCEPT " + other + ")";
    };
    return SqliteFile(state_.store_path())
        .query(lacking(tallied, counted) + " UNION ALL " + lacking(counted, tallied));
  }

  void expect_filters_agree() {
    DeletionFilter filter;
    if (chance(2)) filter.statuses = {any_until(DeletionStatus::withdrawn)};
    if (chance(3)) filter.iteration = number(1, 4);
    if (chance(3)) filter.confidence = any_until(refine::Confidence::safe);
    if (chance(2)) filter.max_risk = risk();
    if (chance(5)) filter.question = number(1, 60);
    if (chance(5)) filter.reason = "unit";
    if (chance(5)) filter.min_similarity = 80;
    using Key = std::tuple<std::int64_t, DeletionStatus, refine::Confidence, std::string, int>;
    std::map<Key, std::uint64_t> expected;
    DeletionCursor rows = must(Deletions(store_).select(filter));
    while (const auto row = must(rows.next())) {
      ++expected[{row->iteration, row->status, row->confidence, row->reasons.text(),
                  whole_similarity(row->distance, row->length)}];
    }
    std::map<Key, std::uint64_t> found;
    for (const DeletionTally& tally : must(Deletions(store_).tallies(filter))) {
      found[{tally.iteration, tally.status, tally.confidence, tally.reasons.text(), tally.similarity}] +=
          tally.deletions;
    }
    EXPECT_EQ(found, expected);
  }

  Store& store() { return store_; }

 private:
  bool chance(int of) { return number(1, of) == 1; }
  template <class Number>
  Number number(int least, Number most) {
    return std::uniform_int_distribution<Number>(static_cast<Number>(least), most)(random_);
  }
  template <class Value>
  Value any_until(Value last) {
    return static_cast<Value>(number(0, static_cast<int>(last)));
  }
  // At the edges of what is tallied together, above all.
  refine::Risk risk() {
    return refine::Risk(tallied_risks.at(number(0, tallied_risks.size() - 1)) + number(-1, 1));
  }
  refine::AnnotatedDeletion pair(QuestionId question) {
    static constexpr const char* reasons[] = {"", "", "unit", "unit;polarity:多/少", "negation"};
    const std::string text = reasons[number(0, 4)];
    const std::uint64_t length = number(0, std::uint64_t{60});
    return {question,
            number(1, question - 1),
            number(0, length / 5),
            length,
            text.empty() ? refine::Confidence::safe : refine::Confidence::doubtful,
            refine::Reasons(text),
            risk(),
            11,
            22};
  }
  std::set<std::int64_t> ids(const std::string& query) const {
    std::istringstream text(SqliteFile(state_.store_path()).query(query));
    std::set<std::int64_t> ids;
    for (std::string id; std::getline(text, id, ',');) ids.insert(std::stoll(id));
    return ids;
  }

  const std::string is_open = "status IN ('pending', 'approved', 'applied')";
  std::mt19937_64 random_;
  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
};

class RandomTallies : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTallies, AgreeWithTheDeletions) {
  ChangedStore changed(GetParam());
  for (int week = 0; week < 5; ++week) {
    for (const auto change : {&ChangedStore::iterate, &ChangedStore::decide, &ChangedStore::withdraw}) {
      (changed.*change)();
      EXPECT_EQ(changed.differences(), "0,0");
      EXPECT_THAT(must(wrong_tallies(changed.store())), ElementsAre());
      for (int i = 0; i < 5; ++i) changed.expect_filters_agree();
      if (testing::Test::HasFailure()) FAIL() << "in week " << week + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTallies, testing::Range(0U, 12U));

class DeletionTallies : public testing::Test {
 protected:
  DeletionTallies() {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.outcome.deletions = {
        {5, 2, 1, 6, refine::Confidence::safe, {}, refine::Risk(10), 11, 22},
        {7, 2, 1, 6, refine::Confidence::safe, {}, refine::Risk(9), 11, 22},
        {9, 2, 0, 0, refine::Confidence::doubtful, refine::Reasons("unit"), refine::Risk(11), 11, 22}};
    Store store = must(Store::open(state_, Access::read_write));
    must(Iterations(store).commit(draft, 5));
  }

  std::string tallies() {
    return query(
        "SELECT status || ' ' || confidence || ' ' || similarity || ' ' || risk || ' ' || deletions "
        "FROM deletion_tally ORDER BY risk");
  }
  std::string query(const std::string& sql) const { return SqliteFile(state_.store_path()).query(sql); }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
};

TEST_F(DeletionTallies, CountWhatAgrees) {
  EXPECT_EQ(tallies(), "pending safe 83 10 2,pending doubtful 100 50 1");
}

TEST_F(DeletionTallies, ThatAreWrongAreFound) {
  query("UPDATE deletion_tally SET deletions = deletions + 1 WHERE confidence = 'safe'");
  query("UPDATE deletion SET status = 'approved' WHERE question_id = 9");
  Store store = must(Store::open(state_, Access::read_only));
  EXPECT_THAT(must(wrong_tallies(store)),
              ElementsAre("iteration 1, pending, safe, 83 % alike: 1 too many counted",
                          HasSubstr("approved, doubtful, unit, 100 % alike: 1 too few counted"),
                          HasSubstr("pending, doubtful, unit, 100 % alike: 1 too many counted")));
}

}  // namespace
}  // namespace qdedup::db
