// Evidence::append against a twin that folds nothing.

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "db/evidence.h"
#include "db/iterations.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

constexpr int mined_logs = 3;
constexpr std::size_t row_bytes = std::size_t{128} << 10U;  // for each there may be a row
constexpr std::size_t most_small_rows = 3;

// Chunks are plain text here, joined by putting one behind the other.
class EvidenceFolding : public testing::TestWithParam<int> {
 protected:
  EvidenceFolding() { store_.database().exec("PRAGMA synchronous = OFF"); }

  int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  // Adds so many bytes to the log, as one stretch.
  void append(int log, std::size_t bytes) {
    MinedStretch stretch;
    stretch.log.id = ids_[log];
    stretch.log.path = std::to_string(log);
    stretch.begin_offset = offsets_[log];
    stretch.log.offset = offsets_[log] += bytes + 1;
    stretch.totals = {.lines = 4, .selected = 2, .unselected = 1, .rejected = {{"blank", 1}}};
    stretch.min_score = min_score_;
    stretch.lists = std::to_string(++appended_) + std::string(bytes, 'x');
    stretch.join = [this](std::string_view older, std::string_view newer) -> Result<std::string> {
      copied_ += older.size() + newer.size();
      return std::string(older) + std::string(newer);
    };
    const Result<std::int64_t> id = evidence_.append(stretch, "");
    ASSERT_TRUE(id.ok());
    ids_[log] = *id;
    waiting_[log] += stretch.lists;
    bytes_ += stretch.lists.size();
  }

  void consume() {
    IterationDraft draft;
    draft.record.kind = "logs";
    draft.last_evidence_id = held_id_;
    ASSERT_TRUE(Iterations(store_).commit(draft, 5).ok());
    for (const auto& [log, bytes] : held_) waiting_[log].erase(0, bytes.size());
    held_.clear();
    is_held_ = false;
  }

  void hold() {
    const Result<UnconsumedEvidence> held = evidence_.hold_unconsumed();
    ASSERT_TRUE(held.ok());
    held_id_ = held->last_id;
    held_ = waiting_;
    is_held_ = true;
  }

  // All chunks of each log that wait, up to `last_id`.
  std::map<int, std::string> stored(std::int64_t last_id) {
    std::map<int, std::string> found;
    SQLite::Statement rows(store_.database(),
                           "SELECT path, lists FROM evidence JOIN log ON log.id = log_id "
                           "WHERE iteration_id IS NULL AND evidence.id <= ? ORDER BY evidence.id");
    rows.bind(1, last_id);
    while (rows.executeStep()) found[std::stoi(rows.getColumn(0))] += rows.getColumn(1).getString();
    return found;
  }

  void expect_nothing_lost_or_twice() {
    std::map<int, std::string> expected = waiting_;
    std::erase_if(expected, [](const auto& entry) { return entry.second.empty(); });
    ASSERT_EQ(stored(evidence_.unconsumed()->last_id), expected);
    if (is_held_) {
      std::erase_if(held_, [](const auto& entry) { return entry.second.empty(); });
      ASSERT_EQ(stored(held_id_), held_);
    }
    SqliteFile store(state_.store_path());
    ASSERT_EQ(
        store.query("SELECT count(*) FROM evidence AS one WHERE begin_offset <> (SELECT max(end_offset) "
                    "FROM evidence WHERE log_id = one.log_id AND id < one.id)"),
        "0");
    ASSERT_EQ(store.query("SELECT count(*) FROM log WHERE offset <> "
                          "(SELECT max(end_offset) FROM evidence WHERE log_id = log.id)"),
              "0");
    ASSERT_EQ(
        store.query("SELECT sum(lines) || ' ' || sum(selected) || ' ' || sum(rejected) FROM evidence"),
        store.query("SELECT sum(lines) || ' ' || sum(selected) || ' ' || (SELECT sum(lines) FROM rejection) "
                    "FROM log"));
  }

  [[nodiscard]] std::size_t waiting_rows() const {
    return std::stoul(
        SqliteFile(state_.store_path()).query("SELECT count(*) FROM evidence WHERE iteration_id IS NULL"));
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_ = must(Store::open(state_, Access::read_write));
  Evidence evidence_{store_};
  std::mt19937_64 random_{static_cast<std::uint64_t>(GetParam())};
  double min_score_ = 0.3;
  std::map<int, std::int64_t> ids_;
  std::map<int, std::uint64_t> offsets_;
  std::map<int, std::string> waiting_;
  std::map<int, std::string> held_;
  std::int64_t held_id_ = 0;
  bool is_held_ = false;
  int appended_ = 0;
  std::size_t bytes_ = 0;
  std::size_t copied_ = 0;
};

TEST_P(EvidenceFolding, LosesNothingAndChangesNothingThatIsBeingRead) {
  for (int step = 0; step < 200; ++step) {
    switch (choose(20)) {
      case 0:
        hold();
        break;
      case 1:
        if (is_held_) consume();
        break;
      case 2:
        min_score_ = 0.1 * choose(3);
        break;
      default:
        append(choose(mined_logs), static_cast<std::size_t>(choose(1 << choose(19))));
    }
    if (HasFatalFailure()) return;
    expect_nothing_lost_or_twice();
    if (HasFatalFailure()) return;
  }
}

TEST_P(EvidenceFolding, LeavesFewRowsAndCopiesABoundedNumberOfTimes) {
  const int most = 1 << (6 + choose(10));
  for (int i = 0; i < 1'000; ++i) append(choose(mined_logs), static_cast<std::size_t>(choose(most)));
  expect_nothing_lost_or_twice();
  EXPECT_LE(waiting_rows(), mined_logs * most_small_rows + bytes_ / row_bytes);
  constexpr std::size_t always_folded = 8192;
  EXPECT_LE(copied_, 24 * bytes_ + 1'000 * 2 * always_folded);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EvidenceFolding, testing::Range(0, 8));

}  // namespace
}  // namespace qdedup::db
