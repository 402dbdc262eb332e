#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "iteration/iteration.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::iteration {
namespace {

// Three chunks of one list each.
class EvidenceLists : public testing::Test {
 protected:
  EvidenceLists() {
    for (int i = 1; i <= 3; ++i) {
      const std::string id = std::to_string(10 * i);
      sample_.mine({sample_.folder.write("log" + id, "[[" + id + ",0.9],[" + id + "1,0.8]]\n")});
    }
  }

  // The first ids, in the order in which they come; the error behind them.
  std::string first_ids(std::int64_t last_id, unsigned threads) {
    db::Evidence evidence(sample_.store);
    std::string ids;
    const auto caller = std::this_thread::get_id();
    const Status read = evidence_lists(evidence, last_id, threads)([&](const miner::SeedLists& lists) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      for (std::size_t list = 0; list < lists.size(); ++list) ids += std::to_string(lists.ids(list)[0]) + ' ';
    });
    return read.ok() ? ids : ids + read.error().message;
  }

  void damage(int id) {
    EXPECT_EQ(SqliteFile(sample_.state.store_path())
                  .query("UPDATE evidence SET lists = substr(lists, 2) WHERE id = " + std::to_string(id)),
              "");
  }

  SampleState sample_;
};

TEST_F(EvidenceLists, ComeInTheirOrderOnTheCallersThread) {
  for (const unsigned threads : {1U, 2U, 3U}) {
    EXPECT_EQ(first_ids(3, threads), "10 20 30 ");
    EXPECT_EQ(first_ids(2, threads), "10 20 ");
    EXPECT_EQ(first_ids(0, threads), "");
  }
}

// Each chunk before it comes once, and nothing of it or behind it.
TEST_F(EvidenceLists, EndBeforeADamagedChunk) {
  const std::vector<std::string> before = {"", "", "10 ", "10 20 "};
  for (const int damaged : {3, 2, 1}) {
    damage(damaged);
    const std::string expected = before[static_cast<std::size_t>(damaged)] + sample_.state.store_path() +
                                 ": evidence " + std::to_string(damaged) + ": evidence chunk: wrong hash";
    for (const unsigned threads : {1U, 2U, 3U}) EXPECT_EQ(first_ids(3, threads), expected);
  }
}

}  // namespace
}  // namespace qdedup::iteration
