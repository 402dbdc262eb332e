#include "iteration/mining.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "db/evidence.h"
#include "tests/support/command_line_packer.h"
#include "tests/support/numbered_lines.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

std::string lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += "[[" + std::to_string(2 * i) + ",0.9],[" + std::to_string(2 * i + 1) + ",0.8]]\n";
  }
  return text;
}

void expect_no_loss(const MiningReport& report) {
  for (const MinedLog& mined : report.logs) EXPECT_FALSE(mined.possible_loss) << mined.path;
}

TEST(Mining, EvidenceAndOffsetAreCommittedTogether) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(10));
  SqliteFile(sample.state.store_path())
      .query(
          "CREATE INDEX fail ON log (abs(CASE WHEN offset > 0 THEN -9223372036854775808 END))");  // overflows
  EXPECT_FALSE(
      mine_logs(sample.writer, {log}, sample.files, sample.settings, sample.clock, no_progress).ok());
  SqliteFile(sample.state.store_path()).query("DROP INDEX fail");
  EXPECT_EQ(must(db::Evidence(sample.store).unconsumed()).lines, 0U);
  EXPECT_EQ(sample.mine({log}).totals.lines, 10U);
}

TEST(Mining, ALongLogIsCommittedInStretches) {
  SampleState sample;
  const std::string padding(100, ' ');
  std::string content;
  for (int i = 0; i < 400'000; ++i) content += "[[1,0.9]," + padding + "[2,0.8]]\n";
  const std::string log = sample.folder.write("a.log", content);
  EXPECT_EQ(sample.mine({log}).totals.selected, 400'000U);
  EXPECT_EQ(SqliteFile(sample.state.store_path())
                .query("SELECT count(*) > 1 AND sum(lines) = 400000 AND max(end_offset) = " +
                       std::to_string(std::filesystem::file_size(log)) + " FROM evidence"),
            "1");
  EXPECT_EQ(SqliteFile(sample.state.store_path())
                .query("SELECT count(*) FROM evidence a JOIN evidence b ON b.id = a.id + 1 "
                       "WHERE b.begin_offset <> a.end_offset"),
            "0");
}

TEST(Mining, ACopyOfTheBeginningCountsNothingTwiceWhateverTheOrder) {
  SampleState sample;
  const std::string copy = sample.folder.write("a.log", lines(10));
  const std::string log = sample.folder.write("b.log", lines(20));
  const MiningReport report = sample.mine({copy, log});
  EXPECT_EQ(report.totals.lines, 20U);
  ASSERT_EQ(report.logs.size(), 2U);
  EXPECT_EQ(report.logs[0].path, copy);
  EXPECT_TRUE(report.logs[0].copy);
}

TEST(Mining, ACopyOfANewLogThatStandsWhereAnotherStoodCountsNothingTwice) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(100));
  EXPECT_EQ(sample.mine({log}).totals.lines, 100U);
  std::filesystem::rename(log, sample.folder / "a.log.1");
  const std::string begin = "[[900,0.9],[901,0.8]]\n";
  sample.folder.write("a.log", begin + lines(30));
  const std::string copy = sample.folder.write("b.log", begin + lines(10));
  const MiningReport report = sample.mine({copy, sample.folder / "a.log.1", log});
  EXPECT_EQ(report.totals.lines, 31U);
  expect_no_loss(report);
}

TEST(Mining, ALogThatWasPackedIsMetBeforeTheNewOneInItsPlace) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(100));
  EXPECT_EQ(sample.mine({log}).totals.lines, 100U);
  std::filesystem::rename(log, sample.folder / "a.log.1");
  sample.folder.write("a.log", "[[900,0.9],[901,0.8]]\n" + lines(300));
  const std::string packed_log = sample.folder.write("a.log.1.gz", packed("gzip", lines(100)));
  std::filesystem::remove(sample.folder / "a.log.1");
  const MiningReport report = sample.mine({log, packed_log});
  EXPECT_EQ(report.totals.lines, 301U);
  expect_no_loss(report);
}

TEST(Mining, ALogThatWasCutIsAPossibleLossThoughACopyGoesOnWithItsRecord) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(100));
  EXPECT_EQ(sample.mine({log}).totals.lines, 100U);
  const std::string copy = sample.folder.write("a.log.1", lines(120));
  sample.folder.write("a.log", "[[900,0.9],[901,0.8]]\n");
  const MiningReport report = sample.mine({copy, log});
  EXPECT_EQ(report.totals.lines, 21U);
  EXPECT_FALSE(report.logs[0].possible_loss);
  EXPECT_TRUE(report.logs[1].possible_loss);
}

TEST(Mining, OfALogAndItsWholeCopyTheLogIsTheOneThatWasWrittenFirst) {
  SampleState sample;
  const std::string log = sample.folder.write("b.log", lines(10));
  const std::string copy = sample.folder.write("a.log", lines(10));
  std::filesystem::last_write_time(log, std::filesystem::last_write_time(copy) - std::chrono::seconds(1));
  EXPECT_EQ(sample.mine({copy, log}).totals.lines, 10U);
  std::ignore = sample.folder.append("b.log", lines(5));
  EXPECT_EQ(sample.mine({copy, log}).totals.lines, 5U);
}

// A log that was mined by a version that did not record births yet.
TEST(Mining, ACopyOfALogThatIsNotLookedAtCountsNothingTwiceWithoutABirthEither) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(20));
  EXPECT_EQ(sample.mine({log}).totals.lines, 20U);
  SqliteFile(sample.state.store_path()).query("UPDATE log SET born_ns = 0");
  EXPECT_EQ(sample.mine({sample.folder.write("b.log", lines(10))}).totals.lines, 0U);
  EXPECT_EQ(sample.mine({sample.folder.write("c.log", lines(20))}).totals.lines, 0U);
  std::ignore = sample.folder.append("a.log", lines(5));
  EXPECT_EQ(sample.mine({log}).totals.lines, 5U);
}

// Whenever something is read.
TEST(Mining, ALogThatIsReplacedAgainAndAgainIsAProblem) {
  SampleState state;
  const std::string log = state.folder.write("app.log", numbered_lines(0, 1));
  const std::string other = state.folder.write("long.log", numbered_lines(10, 20));
  int number = 100;
  state.files = logs::Files({}, [&] {
    number += 20;
    for (const std::string& path : {log, other}) {
      const int end = number + (path == log ? 1 : 10);
      const std::string file = state.folder.write("new", numbered_lines(number, end));
      std::filesystem::create_hard_link(file, path + std::to_string(number));  // so that no inode comes again
      std::filesystem::rename(file, path);
    }
  });
  const MiningReport report = state.mine({log, other});
  ASSERT_TRUE(report.logs.front().problem);
  EXPECT_EQ(report.logs.front().problem->code, ErrorCode::busy);
}

TEST(Mining, ThreadsDoNotChangeTheEvidence) {
  SampleState sample;
  const std::string log = sample.folder.write("a.log", lines(200'000));
  sample.settings.resources.threads = 1;
  sample.mine({log});
  SampleState other;
  other.settings.resources.threads = 3;
  other.mine({log});
  const auto evidence = [](const SampleState& state) {
    return SqliteFile(state.state.store_path()).query("SELECT hex(lists) FROM evidence");
  };
  EXPECT_EQ(evidence(sample), evidence(other));
}

// A packed log whose end cannot be read: each line before counts once, and it is mined up to the end of one.
void expect_mined_to_its_damage(const std::string& name, const std::string& bytes, const std::string& content,
                                unsigned threads) {
  SampleState sample;
  sample.settings.resources.threads = threads;
  const MiningReport report = sample.mine({sample.folder.write(name, bytes)});
  EXPECT_TRUE(report.logs[0].problem || report.logs[0].cut_off);
  SqliteFile store(sample.state.store_path());
  const std::uint64_t offset = std::stoull(store.query("SELECT offset FROM log"));
  ASSERT_LE(offset, content.size());
  EXPECT_GT(offset, std::uint64_t{8} << 20U);
  EXPECT_EQ(content[offset - 1], '\n');
  const auto mined = std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  EXPECT_EQ(report.totals.selected, static_cast<std::uint64_t>(mined));
  EXPECT_EQ(store.query("SELECT sum(lines) FROM evidence"), std::to_string(mined));
  EXPECT_EQ(store.query("SELECT lines || ' ' || selected FROM log"),
            std::to_string(mined) + ' ' + std::to_string(mined));
}

TEST(LargeMining, OfAPackedLogGoesToWhereItIsDamagedOrCut) {
  const std::string content = lines(400'000);
  for (const unsigned threads : {1U, 3U}) {
    for (const std::string packer : {"gzip -1", "zstd -1"}) {
      const std::string name = packer[0] == 'g' ? "a.log.gz" : "a.log.zst";
      const std::string whole = packed(packer, content);
      std::string next = packed(packer, content);
      expect_mined_to_its_damage(name, whole + next.substr(0, next.size() * 9 / 10), content, threads);
      next[next.size() / 2] ^= 0x55;
      expect_mined_to_its_damage(name, whole + next, content, threads);
    }
  }
}

TEST(Mining, TheSelectionSettingsAreNotedWithTheEvidence) {
  SampleState sample;
  sample.settings.selection = {0.25, 0.125};
  sample.mine({sample.folder.write("a.log", lines(1))});
  EXPECT_EQ(
      SqliteFile(sample.state.store_path()).query("SELECT min_top_score || ' ' || min_score FROM evidence"),
      "0.25 0.125");
}

}  // namespace
}  // namespace qdedup::iteration
