#include "db/named_logs.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "db/evidence.h"
#include "tests/support/sample_state.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Decider ann{"ann", "2026-11-26T00:00:00Z"};

class NamedLogsTest : public testing::Test {
 protected:
  // A log of ten lines.
  std::int64_t add(const std::string& path, std::uint64_t offset = 1000) {
    MinedStretch stretch;
    stretch.log.path = path;
    stretch.log.offset = offset;
    stretch.log.possible_loss = true;
    if (offset > 0) stretch.totals = {10, 5, 3, {{"bad_id", 2}}, 4};
    stretch.lists = path;
    if (offset > 0) stretch.marks = {{0, offset, 1, "hash"}};
    return must(Evidence(store_).append(stretch, "2026-11-20T00:00:00Z"));
  }

  void consume(std::int64_t log, int iteration) {
    const std::string id = std::to_string(iteration);
    store_.database().exec("PRAGMA foreign_keys = OFF");
    store_.database().exec("UPDATE evidence SET iteration_id = " + id +
                           " WHERE log_id = " + std::to_string(log));
  }

  LogRecord log(std::int64_t id) {
    for (LogRecord& record : must(Evidence(store_).logs())) {
      if (record.id == id) return record;
    }
    return {};
  }

  int rows(const std::string& table) {
    return store_.database().execAndGet("SELECT count(*) FROM " + table).getInt();
  }

  std::vector<std::string> suspects() {
    std::vector<std::string> paths;
    for (const LogRecord& record : must(Evidence(store_).logs())) {
      if (record.possible_loss || record.possible_twice) paths.push_back(record.path);
    }
    return paths;
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Store store_ = must(Store::open(state_, Access::read_write));
  NamedLogs named_{store_};
};

TEST_F(NamedLogsTest, WhatIsForgottenTakesItsCountsAndEvidenceAlongAndStaysKnown) {
  const std::int64_t wrong = add("wrong.log");
  const std::int64_t right = add("right.log");
  const ForgetReport report = must(named_.forget({"wrong.log"}, ann, false));
  ASSERT_EQ(report.logs.size(), 1U);
  EXPECT_EQ(report.logs[0].lines, 10U);
  EXPECT_EQ(report.logs[0].selected, 5U);
  EXPECT_EQ(report.logs[0].rejected, 2U);
  EXPECT_THAT(report.kept, IsEmpty());
  EXPECT_TRUE(log(wrong).is_forgotten());
  EXPECT_EQ(log(wrong).forgotten_by, "ann");
  EXPECT_EQ(log(wrong).offset, 1000U);
  EXPECT_EQ(log(wrong).totals.lines + log(wrong).totals.rejected_total() + log(wrong).totals.nul_bytes, 0U);
  EXPECT_FALSE(log(wrong).possible_loss);
  EXPECT_EQ(must(Evidence(store_).marks(wrong)).size(), 1U);
  EXPECT_FALSE(log(right).is_forgotten());
  EXPECT_EQ(must(Evidence(store_).unconsumed()).lines, 10U);
  EXPECT_EQ(rows("rejection"), 1);
}

TEST_F(NamedLogsTest, ATrialChangesNothing) {
  const std::int64_t id = add("a.log");
  EXPECT_EQ(must(named_.forget({"a.log"}, ann, true)).logs.size(), 1U);
  EXPECT_FALSE(log(id).is_forgotten());
  EXPECT_EQ(rows("evidence"), 1);
}

TEST_F(NamedLogsTest, AConsumedLogIsRefusedAndNothingElseIsForgotten) {
  add("a.log");
  const std::int64_t consumed = add("b.log");
  consume(consumed, 3);
  const auto report = named_.forget({"a.log", "b.log"}, ann, false);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::data);
  EXPECT_THAT(report.error().message, HasSubstr("b.log: cannot be forgotten, iteration 3 consumed"));
  EXPECT_EQ(rows("evidence"), 2);
}

TEST_F(NamedLogsTest, OfLogsWithOneNameThoseThatAreNotConsumedAreForgotten) {
  const std::int64_t before = add("a.log");
  consume(before, 3);
  const std::int64_t first = add("a.log");
  const std::int64_t second = add("a.log");
  const ForgetReport report = must(named_.forget({"a.log"}, ann, false));
  EXPECT_EQ(report.logs.size(), 2U);
  ASSERT_EQ(report.kept.size(), 1U);
  EXPECT_THAT(report.kept[0].iterations, ElementsAre(3));
  EXPECT_FALSE(log(before).is_forgotten());
  EXPECT_TRUE(log(first).is_forgotten());
  EXPECT_TRUE(log(second).is_forgotten());
}

TEST_F(NamedLogsTest, AnUnknownNameIsToldWithTheNearestOne) {
  add("/var/log/search.log");
  const auto report = named_.forget({"/var/log/serch.log"}, ann, false);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::no_input);
  EXPECT_THAT(report.error().message, HasSubstr("did you mean \"/var/log/search.log\"?"));
}

// Its content could not be known again.
TEST_F(NamedLogsTest, ALogOfWhichNothingWasMinedCannotBeForgotten) {
  add("a.log", 0);
  const auto report = named_.forget({"a.log"}, ann, false);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::data);
}

TEST_F(NamedLogsTest, ForgettingALogAgainSaysThatItIsLeftOut) {
  add("a.log");
  add("b.log");
  must(named_.forget({"a.log"}, ann, false));
  EXPECT_THAT(named_.forget({"a.log"}, ann, false).error().message, HasSubstr("a.log: is left out already"));
}

TEST_F(NamedLogsTest, NothingIsMinedOfAForgottenLogByWhoeverKnewItBefore) {
  const std::int64_t id = add("a.log");
  must(named_.forget({"a.log"}, ann, false));
  MinedStretch more;
  more.log = log(id);
  more.begin_offset = 1000;
  more.log.offset = 1100;
  more.totals = {1, 1, 0, {}, 0};
  EXPECT_EQ(Evidence(store_).append(more, ann.at).error().code, ErrorCode::busy);
  more.log.offset = 1000;
  more.log.path = "a.log.1";
  more.totals = {};
  EXPECT_TRUE(Evidence(store_).append(more, ann.at).ok());
  EXPECT_TRUE(log(id).is_forgotten());
}

TEST_F(NamedLogsTest, TheMarksOfAForgottenLogAreKept) {
  const std::int64_t id = add("a.log");
  must(named_.forget({"a.log"}, ann, false));
  for (int other = 0; other < 501; ++other) add("b.log");
  EXPECT_EQ(must(Evidence(store_).marks(id)).size(), 1U);
}

TEST_F(NamedLogsTest, WhatIsTakenBackIsNewAgain) {
  add("a.log");
  EXPECT_EQ(named_.take_back({"a.log"}).error().code, ErrorCode::no_input);
  must(named_.forget({"a.log"}, ann, false));
  EXPECT_EQ(must(named_.take_back({"a.log"})), 1U);
  EXPECT_EQ(rows("log") + rows("log_mark"), 0);
}

TEST_F(NamedLogsTest, WhatIsAcknowledgedCountsNoLongerUntilItHappensAnew) {
  const std::int64_t id = add("a.log");
  add("b.log");
  EXPECT_THAT(must(named_.acknowledge(std::vector<std::string>{"a.log", "a.log"}, ann)),
              ElementsAre("a.log"));
  EXPECT_THAT(suspects(), ElementsAre("b.log"));
  EXPECT_EQ(log(id).acknowledged_at, ann.at);
  EXPECT_EQ(log(id).acknowledged_by, "ann");
  MinedStretch again;
  again.log = log(id);
  again.begin_offset = 1000;
  again.log.possible_twice = true;
  must(Evidence(store_).append(again, ann.at));
  EXPECT_THAT(suspects(), ElementsAre("a.log", "b.log"));
  EXPECT_THAT(must(named_.acknowledge(std::nullopt, ann)), ElementsAre("a.log", "b.log"));
  EXPECT_THAT(must(named_.acknowledge(std::nullopt, ann)), IsEmpty());
  EXPECT_EQ(named_.acknowledge(std::vector<std::string>{"a.log"}, ann).error().code, ErrorCode::no_input);
}

}  // namespace
}  // namespace qdedup::db
