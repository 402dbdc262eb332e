// What LogMatcher finds out from the first lines that it keeps of known logs, against reading the file for
// each of them.

#include "iteration/log_beginning.h"

#include <cstddef>
#include <filesystem>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/iteration/matched_logs.h"
#include "tests/support/command_line_packer.h"

namespace qdedup::iteration {
namespace {

class LogBeginning : public testing::TestWithParam<int>, protected MatchedLogs {
 protected:
  int choose(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  // Lines that many logs have, then others.
  std::string content() {
    const int shared = choose(3) * choose(choose(4) == 0 ? 400 : 40);
    const int own = 10'000 + choose(choose(2) == 0 ? 3 : 1'000) * 1'000;
    return lines(0, shared) + lines(own, own + choose(2) * choose(100)) + (choose(3) == 0 ? "line" : "");
  }

  std::string write(const std::string& name, const std::string& bytes) {
    if (choose(4) > 0) return folder_.write(name, bytes);
    std::string whole = packed("gzip", bytes);
    if (choose(4) == 0) whole.resize(whole.size() / 2);
    return folder_.write(name, whole);
  }

  // As the store does with logs that were mined long ago, or are long.
  void forget_marks(std::int64_t id) {
    if (choose(5) == 0) marks_[id].clear();
    for (db::LogMarkRecord& mark : marks_[id]) {
      if (mark.begin_offset > 0 && choose(4) == 0) mark.line_hashes.clear();
    }
  }

  // As of a log that begins behind lines of another.
  void begin_late(std::int64_t id) {
    std::vector<db::LogMarkRecord>& marks = marks_[id];
    if (marks.size() > 3 && choose(4) == 0) marks.erase(marks.begin(), marks.begin() + choose(3));
  }

  void know_some() {
    for (int id = 1 + static_cast<int>(known_.size()); choose(8) > 0; ++id) {
      const std::string path = write("known." + std::to_string(id), content());
      paths_.push_back(path);
      known_.push_back(mined(path, id));
      begin_late(id);
      forget_marks(id);
    }
  }

  // What a file is, and where it goes on.
  static auto outcome(LogMatcher& matcher, const LogMatcher::File& file, const std::string& path) {
    const LogMatcher::Match match = must(matcher.match(file, path));
    const db::LogRecord& record = match.record;
    return std::tuple(match.use, record.id, record.offset, match.cut, match.brief, record.possible_loss,
                      record.possible_twice);
  }

  std::mt19937_64 random_{static_cast<std::uint64_t>(GetParam())};
  std::vector<db::LogRecord> known_;
  std::vector<std::string> paths_;
};

TEST_P(LogBeginning, WhatIsKeptInMemorySaysWhatTheFileSays) {
  know_some();
  for (const std::string& path : paths_) {
    if (choose(3) == 0) std::filesystem::remove(path);
    if (choose(6) == 0) write(std::filesystem::path(path).filename(), content());
  }
  for (int round = 0; round < 20; ++round) {
    const std::string path = write("new", content());
    LogMatcher fast = looking_at(known_, paths_);
    LogMatcher slow = reading_all(known_, paths_);
    const LogMatcher::File file = must(files_.open(path));
    ASSERT_EQ(outcome(fast, file, path), outcome(slow, file, path)) << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LogBeginning, testing::Range(0, 20));

}  // namespace
}  // namespace qdedup::iteration
