#include "db/evidence.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

constexpr const char* now = "2026-11-20T00:00:00Z";

MinedStretch stretch(const std::string& path, std::uint64_t begin, std::uint64_t end,
                     const std::string& lists) {
  MinedStretch stretch;
  stretch.log.path = path;
  stretch.log.device = 0xFFFFFFFFFFFFFFFF;
  stretch.log.inode = 12;
  stretch.log.born_ns = 13;
  stretch.log.offset = end;
  stretch.log.head_hash = 0x8000000000000001;
  stretch.log.tail_hash = 2;
  stretch.begin_offset = begin;
  stretch.totals.lines = 10;
  stretch.totals.selected = 5;
  stretch.totals.unselected = 2;
  stretch.totals.rejected = {{"bad_id", 1}, {"blank", 2}};
  stretch.min_top_score = 0.5;
  stretch.min_score = 0.3;
  stretch.lists = lists;
  return stretch;
}

class EvidenceTest : public testing::Test {
 protected:
  EvidenceTest() : store_(must(Store::open(state_, Access::read_write))), evidence_(store_) {}

  std::vector<std::string> chunks(std::int64_t last_id) {
    std::vector<std::string> chunks;
    const Status read = evidence_.for_each_unconsumed(last_id, [&](std::string_view chunk) {
      chunks.emplace_back(chunk);
      return Status();
    });
    EXPECT_TRUE(read.ok());
    return chunks;
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_;
  Evidence evidence_;
};

TEST_F(EvidenceTest, ALogIsStoredWithItsMark) {
  ASSERT_TRUE(evidence_.append(stretch("a.log", 0, 1000, "chunk"), now).ok());
  const auto logs = evidence_.logs();
  ASSERT_TRUE(logs.ok());
  ASSERT_EQ(logs->size(), 1U);
  const LogRecord& log = logs->front();
  EXPECT_EQ(log.path, "a.log");
  EXPECT_EQ(log.device, 0xFFFFFFFFFFFFFFFF);
  EXPECT_EQ(log.inode, 12U);
  EXPECT_EQ(log.born_ns, 13);
  EXPECT_EQ(log.offset, 1000U);
  EXPECT_EQ(log.head_hash, 0x8000000000000001);
  EXPECT_EQ(log.tail_hash, 2U);
  EXPECT_EQ(log.last_mined_at, now);
  EXPECT_FALSE(log.possible_loss);
}

TEST_F(EvidenceTest, TheMarksOfALogAreJoinedAndThinnedOut) {
  constexpr std::uint64_t step = 10'000;
  MinedStretch next = stretch("a.log", 0, step, "");
  for (std::uint64_t end = step; end <= 2'000 * step; end += step) {
    next.begin_offset = end - step;
    next.log.offset = end;
    next.marks = {{end - step, end, end, "hash"}};
    next.log.id = *evidence_.append(next, now);
  }
  const auto marks = evidence_.marks(next.log.id);
  ASSERT_TRUE(marks.ok());
  EXPECT_LT(marks->size(), 1024U);
  EXPECT_EQ(marks->front(), (LogMarkRecord{0, 6 * step, step, "hashhashhashhashhashhash"}));
  std::uint64_t known = 0;
  for (const LogMarkRecord& mark : *marks) known += mark.line_hashes.size() / 4 * step;
  EXPECT_GE(known, std::uint64_t{1} << 20U);
  EXPECT_LT(known, (std::uint64_t{1} << 20U) + 200'000);
  EXPECT_EQ(marks->back().end_offset, 2'000 * step);
  EXPECT_FALSE(marks->back().line_hashes.empty());
}

TEST_F(EvidenceTest, ManyMarksAtOnceAreThinnedOutEvenly) {
  MinedStretch large = stretch("a.log", 0, 3'000, "");
  for (std::uint64_t begin = 0; begin < 3'000; ++begin) large.marks.push_back({begin, begin + 1, begin, ""});
  large.log.id = *evidence_.append(large, now);
  const auto marks = evidence_.marks(large.log.id);
  ASSERT_EQ(marks->size(), 1'500U);
  EXPECT_EQ(marks->at(1).begin_offset, 2U);
}

TEST_F(EvidenceTest, TheMarksOfTheLogsThatWereMinedLastAreKept) {
  std::int64_t first = 0;
  for (int log = 0; log < 501; ++log) {
    MinedStretch one = stretch("a.log", 0, 10, "");
    one.marks = {{0, 10, 0, "hash"}};
    const std::int64_t id = *evidence_.append(one, now);
    if (log == 0) first = id;
  }
  EXPECT_TRUE(evidence_.marks(first)->empty());
  EXPECT_EQ(evidence_.marks(first + 1)->size(), 1U);
}

// Or else a rotation would make the oldest logs those that were mined last.
TEST_F(EvidenceTest, ALogIsMinedWhenSomethingOfItIsRead) {
  constexpr const char* later = "2026-11-21T00:00:00Z";
  MinedStretch log = stretch("a.log", 0, 1000, "chunk");
  log.log.id = *evidence_.append(log, now);
  MinedStretch nothing;
  nothing.log = log.log;
  nothing.log.path = "a.log.1";
  nothing.log.inode = 14;
  nothing.begin_offset = 1000;
  ASSERT_TRUE(evidence_.append(nothing, later).ok());
  EXPECT_EQ(evidence_.logs()->front().path, "a.log.1");
  EXPECT_EQ(evidence_.logs()->front().inode, 14U);
  EXPECT_EQ(evidence_.logs()->front().last_mined_at, now);
  nothing.log.offset = 1010;
  ASSERT_TRUE(evidence_.append(nothing, later).ok());
  EXPECT_EQ(evidence_.logs()->front().last_mined_at, later);
}

TEST_F(EvidenceTest, LogsAreRenamed) {
  MinedStretch log = stretch("a.log", 0, 1000, "chunk");
  const std::int64_t first = *evidence_.append(log, now);
  const std::int64_t second = *evidence_.append(log, now);
  std::vector<LogRecord> logs = *evidence_.logs();
  logs[0].path = "a.log.1";
  logs[1].path = "a.log.2";
  ASSERT_TRUE(evidence_.rename(logs).ok());
  logs = *evidence_.logs();
  EXPECT_EQ(logs[0].id, first);
  EXPECT_EQ(logs[0].path, "a.log.1");
  EXPECT_EQ(logs[1].id, second);
  EXPECT_EQ(logs[1].path, "a.log.2");
  EXPECT_EQ(logs[1].last_mined_at, now);
}

TEST_F(EvidenceTest, TheFirstMarksOfSeveralLogsAreRead) {
  MinedStretch one = stretch("a.log", 0, 30, "");
  one.marks = {{0, 10, 1, "hashhash"}, {10, 20, 2, ""}, {20, 30, 3, "hash"}};
  const std::int64_t first = *evidence_.append(one, now);
  const std::int64_t second = *evidence_.append(stretch("b.log", 0, 10, ""), now);
  const auto marks = evidence_.first_marks({first, second}, {.marks = 2, .hash_bytes = 4});
  ASSERT_TRUE(marks.ok());
  EXPECT_EQ(marks->at(first), (std::vector<LogMarkRecord>{{0, 10, 1, "hash"}, {10, 20, 2, ""}}));
  EXPECT_TRUE(marks->at(second).empty());
}

// As one does whose first lines are another's.
TEST_F(EvidenceTest, ALogMayBeginAnywhere) {
  MinedStretch late = stretch("a.log", 700, 1000, "one");
  late.log.possible_twice = true;
  late.log.id = *evidence_.append(late, now);
  EXPECT_EQ(evidence_.logs()->front().offset, 1000U);
  EXPECT_TRUE(evidence_.logs()->front().possible_twice);
  late.begin_offset = 1000;
  late.log.offset = 1100;
  late.log.possible_twice = false;
  EXPECT_TRUE(evidence_.append(late, now).ok());
  EXPECT_TRUE(evidence_.logs()->front().possible_twice);
}

TEST_F(EvidenceTest, TheCountsOfALogAddUp) {
  MinedStretch first = stretch("a.log", 0, 1000, "one");
  first.log.id = *evidence_.append(first, now);
  MinedStretch second = stretch("a.log.1", 1000, 2000, "two");
  second.log.id = first.log.id;
  EXPECT_EQ(*evidence_.append(second, now), first.log.id);
  const auto logs = evidence_.logs();
  ASSERT_EQ(logs->size(), 1U);
  const LineTotals& totals = logs->front().totals;
  EXPECT_EQ(logs->front().path, "a.log.1");
  EXPECT_EQ(totals.lines, 20U);
  EXPECT_EQ(totals.rejected, (std::map<std::string, std::uint64_t>{{"bad_id", 2}, {"blank", 4}}));
  EXPECT_EQ(totals.lines, totals.selected + totals.unselected + totals.rejected_total());
}

TEST_F(EvidenceTest, AStretchWithoutLinesLeavesNoEvidence) {
  MinedStretch empty = stretch("a.log", 0, 0, "");
  empty.totals = {};
  ASSERT_TRUE(evidence_.append(empty, now).ok());
  EXPECT_EQ(evidence_.logs()->size(), 1U);
  EXPECT_EQ(evidence_.unconsumed()->last_id, 0);
}

TEST_F(EvidenceTest, TellsSinceWhenListsWait) {
  EXPECT_EQ(evidence_.unconsumed()->since, "");
  MinedStretch log = stretch("a.log", 0, 1000, "");
  log.join = [](std::string_view older, std::string_view newer) -> Result<std::string> {
    return std::string(older) + std::string(newer);
  };
  const auto since_after = [&](std::uint64_t selected, const std::string& at) {
    log.totals.unselected += log.totals.selected;
    log.totals.unselected -= selected;
    log.totals.selected = selected;
    log.log.id = *evidence_.append(log, at);
    log.begin_offset = log.log.offset;
    log.log.offset += 1000;
    return evidence_.unconsumed()->since;
  };
  EXPECT_EQ(since_after(0, "2026-11-20T00:00:00Z"), "");
  EXPECT_EQ(since_after(5, "2026-11-21T00:00:00Z"), "2026-11-21T00:00:00Z");
  EXPECT_EQ(since_after(5, "2026-11-22T00:00:00Z"), "2026-11-21T00:00:00Z");
}

TEST_F(EvidenceTest, UnconsumedChunksComeOldestFirst) {
  ASSERT_TRUE(evidence_.append(stretch("a.log", 0, 1000, "one"), now).ok());
  ASSERT_TRUE(evidence_.append(stretch("b.log", 0, 1000, std::string("two\0", 4)), now).ok());
  const auto unconsumed = evidence_.unconsumed();
  ASSERT_TRUE(unconsumed.ok());
  EXPECT_EQ(unconsumed->lines, 20U);
  EXPECT_EQ(unconsumed->selected, 10U);
  EXPECT_EQ(unconsumed->rejected, 6U);
  EXPECT_EQ(unconsumed->bytes, 7U);
  EXPECT_EQ(chunks(unconsumed->last_id), (std::vector<std::string>{"one", std::string("two\0", 4)}));
}

TEST_F(EvidenceTest, WhatCameAfterTheLastIdIsLeftForLater) {
  ASSERT_TRUE(evidence_.append(stretch("a.log", 0, 1000, "one"), now).ok());
  const std::int64_t last_id = evidence_.unconsumed()->last_id;
  ASSERT_TRUE(evidence_.append(stretch("b.log", 0, 1000, "two"), now).ok());
  EXPECT_EQ(chunks(last_id), std::vector<std::string>{"one"});
}

// The damage is found by whoever reads it.
TEST_F(EvidenceTest, WhatCannotBeJoinedStaysARowOfItsOwn) {
  MinedStretch next = stretch("a.log", 0, 1000, "damaged");
  next.log.id = *evidence_.append(next, now);
  next.begin_offset = 1000;
  next.log.offset = 2000;
  next.lists = "sound";
  next.join = [](std::string_view, std::string_view) -> Result<std::string> {
    return Error{ErrorCode::data, "wrong hash"};
  };
  ASSERT_TRUE(evidence_.append(next, now).ok());
  EXPECT_EQ(chunks(2), (std::vector<std::string>{"damaged", "sound"}));
}

TEST_F(EvidenceTest, AFailingReaderIsToldWhichEvidenceItWas) {
  ASSERT_TRUE(evidence_.append(stretch("a.log", 0, 1000, "one"), now).ok());
  const Status read = evidence_.for_each_unconsumed(1, [](std::string_view) -> Status {
    return Error{ErrorCode::data, "wrong hash"};
  });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, state_.store_path() + ": evidence 1: wrong hash");
}

TEST_F(EvidenceTest, AFailedTransactionLeavesNothing) {
  run_triggers(store_.database());
  SqliteFile(state_.store_path())
      .query("CREATE TRIGGER fail BEFORE INSERT ON evidence BEGIN SELECT RAISE(ABORT, 'no room'); END");
  EXPECT_FALSE(evidence_.append(stretch("a.log", 0, 1000, "one"), now).ok());
  EXPECT_TRUE(evidence_.logs()->empty());
}

TEST_F(EvidenceTest, PossibleLossIsKept) {
  MinedStretch cut = stretch("a.log", 0, 1000, "one");
  cut.log.possible_loss = true;
  ASSERT_TRUE(evidence_.append(cut, now).ok());
  EXPECT_TRUE(evidence_.logs()->front().possible_loss);
}

TEST_F(EvidenceTest, TheCountsAddUpForAReaderWhileLogsAreAdded) {
  constexpr int added = 200;
  std::thread writer([&] {
    for (int i = 0; i < added; ++i) {
      ASSERT_TRUE(evidence_.append(stretch("log " + std::to_string(i), 0, 1000, "chunk"), now).ok());
    }
  });
  Result<Store> reading = Store::open(state_, Access::read_only);
  ASSERT_TRUE(reading.ok());
  for (std::size_t seen = 0; seen < added;) {
    const auto logs = Evidence(*reading).logs();
    ASSERT_TRUE(logs.ok());
    seen = logs->size();
    for (const LogRecord& log : *logs) {
      EXPECT_EQ(log.totals.lines, log.totals.selected + log.totals.unselected + log.totals.rejected_total());
    }
  }
  writer.join();
}

TEST_F(EvidenceTest, ScoresAddUp) {
  MinedStretch first = stretch("a.log", 0, 10, "");
  first.scores = {{17, 2, 1}, {300, 1, 0}};
  ASSERT_TRUE(evidence_.append(first, now).ok());
  MinedStretch second = stretch("b.log", 0, 10, "");
  second.scores = {{3, 1, 1}, {300, 4, 5}};
  ASSERT_TRUE(evidence_.append(second, now).ok());
  const auto scores = evidence_.scores(1000);
  ASSERT_TRUE(scores.ok());
  EXPECT_EQ(*scores, (std::vector<ScoreCount>{{3, 1, 1}, {17, 2, 1}, {300, 5, 5}}));
}

}  // namespace
}  // namespace qdedup::db
