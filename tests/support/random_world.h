#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/reference/iterating.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup {

// A bank and its logs, which change at random from iteration to iteration, in a real state and in the slow
// twin.
class RandomWorld {
 public:
  RandomWorld(unsigned seed, unsigned threads, std::uint64_t memory_bytes = std::uint64_t{1} << 30U,
              const refine::DuplicateSettings& rule = {})
      : random_(seed), twin_(max_cluster_size(seed), rule) {
    sample_.settings.refine = rule;
    sample_.settings.merge.max_cluster_size = max_cluster_size(seed);
    sample_.settings.resources.threads = threads;
    sample_.settings.resources.memory_bytes = memory_bytes;
  }

  void change_bank() {
    std::map<QuestionId, std::string> changes;
    for (int i = 0; i < (bank_.empty() ? 60 : 8); ++i) changes[random_id()] = random_text();
    sample_.put(changes);
    for (const auto& [id, text] : changes) bank_[id] = text;
    if (const QuestionId gone = random_id(); bank_.erase(gone) > 0) sample_.remove(gone);
  }

  // Mines a random log, runs an iteration, and holds its list against the twin's.
  void iterate(int number) {
    std::vector<miner::SeedList> lists;
    std::string log;
    for (int i = 0; i < 12; ++i) {
      const miner::SeedList list = random_list();
      log += log_line(list);
      if (list.ids.size() >= 2) lists.push_back(list);
    }
    sample_.mine({sample_.folder.write("log" + std::to_string(number), log)});
    const auto iteration = sample_.iterate();
    const reference::Iterations::Result expected = twin_.iterate(bank_, lists);
    if (iteration) {
      EXPECT_EQ(listed_by(iteration->id), expected.listed);
      EXPECT_EQ(iteration->counts.withdrawn, expected.withdrawn);
      EXPECT_EQ(iteration->counts.missing, expected.missing);
    } else {
      EXPECT_TRUE(expected.listed.empty() && expected.withdrawn == 0);
    }
    EXPECT_EQ(open(), expected.open);
    compare_classes();
  }

 protected:
  // With the twin's, and with what the history leads to.
  void compare_classes() {
    EXPECT_EQ(sample_.representatives(), twin_.representatives());
    EXPECT_EQ(sample_.representatives(), replayed_classes());
  }

  // With small ones many joins are refused, and ids left alone.
  static std::size_t max_cluster_size(unsigned seed) { return seed % 4 == 0 ? 2 : 12; }

  std::mt19937_64 random_;
  SampleState sample_;
  std::map<QuestionId, std::string> bank_;
  reference::Iterations twin_;

 private:
  std::map<QuestionId, QuestionId> replayed_classes() {
    std::istringstream changes(
        SqliteFile(sample_.state.store_path())
            .query("SELECT question_id || ' ' || coalesce(old_representative, 0) || ' ' || "
                   "coalesce(new_representative, 0) || ' ' FROM class_change ORDER BY id"));
    std::map<QuestionId, QuestionId> classes;
    QuestionId question = 0;
    QuestionId from = 0;
    QuestionId to = 0;
    for (char comma = 0; changes >> question >> from >> to; changes >> comma) {
      EXPECT_EQ(classes.contains(question) ? classes[question] : 0, from) << question;
      classes[question] = to;
    }
    std::erase_if(classes, [](const auto& member) { return member.second == 0; });
    return classes;
  }

  std::vector<refine::Deletion> listed_by(std::int64_t iteration) {
    std::vector<refine::Deletion> listed;
    for (const db::DeletionRow& row : sample_.deletions({.iteration = iteration})) {
      listed.push_back({row.question, row.keeper});
    }
    return listed;
  }

  std::map<QuestionId, QuestionId> open() {
    std::map<QuestionId, QuestionId> open;
    for (const db::DeletionRow& row :
         sample_.deletions({.statuses = {db::DeletionStatus::pending, db::DeletionStatus::approved,
                                         db::DeletionStatus::applied}})) {
      open[row.question] = row.keeper;
    }
    return open;
  }

  QuestionId random_id() { return std::uniform_int_distribution<QuestionId>(1, 80)(random_); }

  // Short texts over a small alphabet, so that many are duplicates and similarity is no equivalence.
  std::string random_text() {
    static const std::vector<std::string> characters = {"甲", "乙", "丙"};
    const auto choose = [&](std::size_t below) {
      return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
    };
    std::string text;
    for (std::size_t i = 0; i < 5; ++i) text += characters[choose(8) < 6 ? 0 : choose(characters.size())];
    if (choose(4) == 0) text += std::to_string(choose(2));
    return choose(30) == 0 ? "" : text;
  }

  miner::SeedList random_list() {
    miner::SeedList list;
    list.top_score = std::uniform_int_distribution<int>(5, 8)(random_) / 10.0;
    const int length = std::uniform_int_distribution<int>(2, 6)(random_);
    while (static_cast<int>(list.ids.size()) < length) {
      const QuestionId id = random_id();
      if (std::ranges::find(list.ids, id) == list.ids.end()) list.ids.push_back(id);
    }
    return list;
  }

  static std::string log_line(const miner::SeedList& list) {
    std::string line = "[";
    for (const QuestionId id : list.ids) {
      line +=
          (line.size() == 1 ? "[" : ",[") + std::to_string(id) + "," + std::to_string(list.top_score) + "]";
    }
    return line + "]\n";
  }
};

}  // namespace qdedup
