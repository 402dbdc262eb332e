// mine_logs now and then, against a writer and a rotation that know what they wrote.

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/rotated_logs.h"
#include "tests/support/followed_logs.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

namespace fs = std::filesystem;

class RandomMining : public testing::TestWithParam<int>, protected FollowedLogs {
 protected:
  int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  void step() {
    switch (choose(14)) {
      case 0:
      case 1:
      case 2:
        return written_.write_lines(1 + choose(60));
      case 3:
      case 4:
        written_.rotate();
        return written_.reopen();
      case 5:
        return pack();
      case 6:
        return copy_and_cut();
      case 7:
        return copy();
      case 8:
        return remove_oldest();
      case 9:
        return forget_births();
      case 10:
        return pack_early();
      case 11:
        return cut_back();
      default:
        mine();
    }
  }

  // All that is there, in any order.
  void mine() {
    std::vector<std::string> paths;
    for (const auto& entry : fs::directory_iterator(log(""))) paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::ranges::shuffle(paths, random_);
    const MiningReport report = sample.mine(paths);
    for (const MinedLog& mined : report.logs) ASSERT_FALSE(mined.problem) << mined.path;
  }

  // A copy that stays behind while its original grows.
  void copy() {
    if (!fs::exists(log("app.log"))) return;
    fs::remove(log("copy"));
    fs::copy_file(log("app.log"), log("copy"));
    written_.write_lines(1 + choose(10));
  }

  // Without a copy of an older day: when its original is gone, it may have to stand for that.
  void copy_and_cut() {
    if (!fs::exists(log("app.log"))) return;
    fs::remove(log("copy"));
    written_.copy();
    if (choose(2) == 0) mine();
    written_.cut();
  }

  // Without a copy either: which of a packed log and a plain one is longer is not to be seen from outside.
  void pack() {
    fs::remove(log("copy"));
    written_.pack("gzip", ".gz");
  }

  // What comes late is only in the file that goes.
  void pack_early() {
    fs::remove(log("copy"));
    mine();
    written_.pack("gzip", ".gz", 1 + choose(20), [&] { mine(); });
  }

  void cut_back() {
    if (!fs::exists(log("app.log"))) return;
    fs::remove(log("copy"));
    mine();
    written_.cut_back(1 + choose(40));
    if (choose(2) == 0) mine();
  }

  void remove_oldest() {
    if (written_.generations() < 4) return;
    mine();
    written_.remove_oldest();
  }

  // As where the logs were mined by a version that did not record them.
  void forget_births() { SqliteFile(sample.state.store_path()).query("UPDATE log SET born_ns = 0"); }

  std::mt19937_64 random_{static_cast<std::uint64_t>(GetParam())};
  reference::RotatedLogs written_{log("")};
};

TEST_P(RandomMining, EachLineCountsOnce) {
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 15; ++i) step();
    mine();
    ASSERT_EQ(wrong_lines(written_.complete_lines()), "") << GetParam() << ' ' << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMining, testing::Range(0, 20));

}  // namespace
}  // namespace qdedup::iteration
