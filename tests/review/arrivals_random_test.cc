// Questions that come and go at random, against the slow twin of what becomes of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/reference/arriving.h"
#include "tests/reference/duplicates.h"
#include "tests/review/arrival_state.h"
#include "tests/support/conformance_data.h"
#include "tests/support/rules.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::review {
namespace {

// Holds a state against the slow twin, step by step.
class TwoWorlds {
 public:
  explicit TwoWorlds(reference::Arrivals::Duplicates duplicates) : twin_(std::move(duplicates)) {}

  // `text_of` gives the text that the twin knows a question by.
  void put(const std::map<QuestionId, std::string>& questions, std::optional<std::int64_t> at) {
    state_.put_arrived(questions, at);
    for (const auto& [id, text] : questions) twin_.put(id, name_of(id, text), at);
    twin_.follow();
  }

  void remove(QuestionId id) {
    state_.remove(id);
    state_.follow();
    twin_.remove(id);
    twin_.follow();
  }

  void add(const std::vector<AskedQuestion>& questions) {
    const std::vector<CheckOutcome> outcomes = state_.add(questions);
    for (std::size_t i = 0; i < questions.size(); ++i) {
      using Fate = reference::Arrivals::Fate;
      const QuestionId id = questions[i].id.value();
      const Fate fate = twin_.add(id, name_of(id, questions[i].text), state_.now());
      EXPECT_EQ(outcomes[i].added, fate == Fate::added) << id;
      EXPECT_EQ(outcomes[i].joined, fate == Fate::joined) << id;
    }
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const QuestionId representative = twin_.representative(questions[i].id.value());
      EXPECT_EQ(outcomes[i].members->representative, representative) << *questions[i].id;
      EXPECT_EQ(outcomes[i].members->questions, twin_.members(representative) + 1) << *questions[i].id;
    }
  }

  void expire(std::int64_t moment) {
    state_.expire(moment);
    twin_.expire(moment);
  }

  void compare() {
    EXPECT_EQ(state_.representatives(), twin_.representatives());
    EXPECT_EQ(SqliteFile(state_.state.store_path()).query("SELECT count(*) FROM arrived"),
              std::to_string(twin_.arrived().size()));
    for (const QuestionId id : twin_.arrived()) EXPECT_TRUE(state_.has_arrived(id)) << id;
    EXPECT_TRUE(state_.breaches().empty()) << testing::PrintToString(state_.breaches());
  }

  ArrivalState& state() { return state_; }
  reference::Arrivals& twin() { return twin_; }

  bool by_id = false;  // the twin knows questions by their ids instead of their texts

 private:
  [[nodiscard]] std::string name_of(QuestionId id, const std::string& text) const {
    return by_id ? std::to_string(id) : text;
  }

  ArrivalState state_;
  reference::Arrivals twin_;
};

class ArrivalsRandom : public testing::TestWithParam<unsigned> {};

// Questions with few ids; half of those that come again have the text of the last time.
class RandomQuestions {
 public:
  explicit RandomQuestions(std::mt19937_64& random) : random_(random) {}

  QuestionId id() { return static_cast<QuestionId>(random_() % 40 + 1); }

  std::pair<const QuestionId, std::string> next() { return of(id()); }
  std::pair<const QuestionId, std::string> of(QuestionId id) {
    const std::string characters[] = {"甲", "乙"};
    std::string& text = last_[id];
    if (!text.empty() && random_() % 2 == 0) return {id, text};
    text = random_() % 4 == 0 ? "1" : "";
    for (int i = 0; i < 6; ++i) text += characters[random_() % 5 == 0 ? 1 : 0];
    return {id, text};
  }
  AskedQuestion asked() {
    const auto [id, text] = next();
    return {id, text, std::nullopt};
  }

 private:
  std::mt19937_64& random_;
  std::map<QuestionId, std::string> last_;
};

void expect_agreement_with_the_slow_twin(const refine::DuplicateSettings& rule, unsigned seed) {
  std::mt19937_64 random(seed);
  TwoWorlds worlds(
      [&](const std::string& a, const std::string& b) { return reference::are_duplicates(a, b, rule); });
  worlds.state().settings.refine = rule;
  RandomQuestions questions(random);
  worlds.put({questions.of(1), questions.of(2), {1000, unlike}}, std::nullopt);
  for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    ArrivalState& state = worlds.state();
    state.set_time(state.now() + static_cast<std::int64_t>(random() % 3));
    switch (random() % 6) {
      case 0:
        worlds.put({questions.next()},
                   random() % 2 == 0 ? std::optional(state.now() - static_cast<std::int64_t>(random() % 20))
                                     : std::nullopt);
        break;
      case 1:
        worlds.remove(questions.id());
        break;
      case 2:
        worlds.expire(state.now() - static_cast<std::int64_t>(random() % 15));
        break;
      default: {
        std::vector<AskedQuestion> asked;
        for (auto count = random() % 4 + 1; count > 0; --count) asked.push_back(questions.asked());
        worlds.add(asked);
      }
    }
    worlds.compare();
  }
}

TEST_P(ArrivalsRandom, AgreesWithTheSlowTwin) { expect_agreement_with_the_slow_twin({}, GetParam()); }

class ArrivalsByRule : public testing::TestWithParam<std::size_t> {};

TEST_P(ArrivalsByRule, AgreesWithTheSlowTwin) {
  expect_agreement_with_the_slow_twin(all_rules(80)[GetParam()], 5);
}

INSTANTIATE_TEST_SUITE_P(Rules, ArrivalsByRule, testing::Range(std::size_t{0}, all_rules(80).size()));

// Whatever sweeps and reviewers do meanwhile, all that arrived is in classes that hold.
TEST_P(ArrivalsRandom, HoldAmongSweeps) {
  std::mt19937_64 random(GetParam());
  ArrivalState state;
  RandomQuestions questions(random);
  state.put({questions.of(1), questions.of(2), {1000, unlike}});
  for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    state.set_time(state.now() + static_cast<std::int64_t>(random() % 3));
    switch (random() % 9) {
      case 0:
        state.put_arrived({questions.next()}, std::nullopt);
        break;
      case 1:
        state.remove(questions.id());
        if (random() % 2 == 0) break;
        [[fallthrough]];  // nothing is withdrawn in between
      case 2:
        state.expire(state.now() - static_cast<std::int64_t>(random() % 15));
        break;
      case 3:
      case 4:
        for (const db::DeletionRow& row : state.deletions({.statuses = {db::DeletionStatus::pending}})) {
          state.decide(row.question, random() % 2 == 0 ? db::Decision::reject : db::Decision::approve);
          const auto in_bank = must(state.bank.find(row.question));
          if (!in_bank || random() % 3 == 0) continue;
          state.remove(row.question);
          state.add(row.question, in_bank->text);
          if (random() % 2 == 0) state.put_arrived({questions.of(row.keeper)}, std::nullopt);
        }
        break;
      default:
        for (const CheckOutcome& outcome : state.add({questions.asked(), questions.asked()})) {
          EXPECT_TRUE(outcome.members || !outcome.refused.empty());
          if (!outcome.members) continue;
          EXPECT_EQ(outcome.members->similar.size() + 1, outcome.members->questions);
        }
    }
    state.follow();
    state.sweep();
    const std::vector<std::string> breaches = state.breaches();
    EXPECT_TRUE(breaches.empty()) << testing::PrintToString(breaches);
    EXPECT_TRUE(state.is_as_listed());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ArrivalsRandom, testing::Range(0U, 12U));

// 20,000 questions as they were asked. Which of them are duplicates is told by the list of all pairs of that
// bank that pass the test, and by nothing of this program.
TEST(ArrivalsConformance, RealQuestionsInTheirClasses) {
  const std::filesystem::path folder = conformance_data();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no conformance data in " << folder;
  std::unordered_map<std::string, std::set<std::string>> duplicates_of;  // the twin asks 200 million times
  std::set<QuestionId> in_pairs;
  std::ifstream pair_file(folder / "pairs.tsv");
  std::string line;
  std::getline(pair_file, line);
  while (std::getline(pair_file, line)) {
    std::istringstream columns(line);
    QuestionId small = 0;
    QuestionId large = 0;
    ASSERT_TRUE(columns >> small >> large) << line;
    duplicates_of[std::to_string(small)].insert(std::to_string(large));
    duplicates_of[std::to_string(large)].insert(std::to_string(small));
    in_pairs.insert({small, large});
  }
  std::vector<AskedQuestion> questions;
  std::size_t others = 20'000 - in_pairs.size();
  std::ifstream bank_file(folder / "bank.jsonl");
  while (std::getline(bank_file, line)) {
    const auto row = nlohmann::json::parse(line);
    const QuestionId id = row.at("id");
    if (!in_pairs.contains(id) && others == 0) continue;
    if (!in_pairs.contains(id)) --others;
    questions.push_back({id, row.at("text").get<std::string>(), std::nullopt});
  }
  ASSERT_EQ(questions.size(), 20'000U);
  std::mt19937_64 random(1);
  std::shuffle(questions.begin(), questions.end(), random);

  TwoWorlds worlds([&](const std::string& a, const std::string& b) {
    const auto found = duplicates_of.find(a);
    return found != duplicates_of.end() && found->second.contains(b);
  });
  worlds.by_id = true;
  constexpr std::size_t batch = 1000;
  constexpr std::size_t loaded = 4000;
  std::map<QuestionId, std::string> first;
  for (std::size_t i = 0; i < loaded; ++i) first[*questions[i].id] = questions[i].text;
  worlds.put(first, 100 * day);
  std::size_t largest = 0;
  for (std::size_t begin = loaded; begin < questions.size(); begin += batch) {
    SCOPED_TRACE(begin);
    ArrivalState& state = worlds.state();
    state.set_time(state.now() + day);
    worlds.add({questions.begin() + static_cast<std::ptrdiff_t>(begin),
                questions.begin() + static_cast<std::ptrdiff_t>(begin + batch)});
    if (begin % (4 * batch) == 0) worlds.expire(state.now() - 6 * day);
    worlds.remove(*questions[random() % begin].id);
    worlds.compare();
    largest = std::max(largest, state.representatives().size());
  }
  EXPECT_GT(largest, 500U);
}

}  // namespace
}  // namespace qdedup::review
