#include "db/arrivals.h"

#include <algorithm>
#include <chrono>
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
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "db/classes.h"
#include "iteration/arriving.h"
#include "iteration/question_check.h"
#include "review/question_class.h"
#include "review/verification.h"
#include "tests/reference/arriving.h"
#include "tests/reference/duplicates.h"
#include "tests/reference/iterating.h"
#include "tests/support/conformance_data.h"
#include "tests/support/rules.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::review {
namespace {

using iteration::AskedQuestion;
using iteration::CheckOutcome;
using std::chrono::sys_seconds;

constexpr std::int64_t day = 86'400;

// A state to which questions come.
class ArrivalState : public SampleState {
 public:
  ArrivalState() { set_time(100 * day); }

  void set_time(std::int64_t seconds) { clock.time = sys_seconds(std::chrono::seconds(seconds)); }
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.time).time_since_epoch().count();
  }

  void put_arrived(const std::map<QuestionId, std::string>& questions, std::optional<std::int64_t> at) {
    std::vector<db::BankQuestion> rows;
    for (const auto& [id, text] : questions) {
      rows.push_back(db::bank_question(id, text, std::nullopt));
      rows.back().arrived_at = at;
    }
    must(db::BankImport::load_at_once(bank, "test", "", rows));
    follow();
  }

  void follow() { must(iteration::follow_bank(store, writer, bank, settings.refine, clock)); }

  std::vector<CheckOutcome> add(const std::vector<AskedQuestion>& questions) {
    return must(
        iteration::add_new_questions(questions, store, writer, bank, {settings.refine, {}}, {}, clock));
  }
  CheckOutcome add(QuestionId id, const std::string& text) { return add({{id, text, std::nullopt}}).front(); }

  iteration::ExpiryCounts expire(std::int64_t moment, bool dry_run = false) {
    return must(iteration::expire(store, writer, bank, settings.refine, clock,
                                  sys_seconds(std::chrono::seconds(moment)), dry_run));
  }

  std::vector<std::string> breaches() {
    std::vector<std::string> found;
    must(verify(
        store, bank, [&](const Breach& breach) { found.push_back(breach.kind + " " + breach.detail); },
        no_progress));
    return found;
  }

  db::ClassSummary class_of(QuestionId id) {
    return must(db::Classes(store).summaries_of({&id, 1}, iteration::max_members_listed)).front();
  }
  bool has_arrived(QuestionId id) { return must(db::Arrivals(store).find(id)).has_value(); }
  bool is_in_bank(QuestionId id) { return must(bank.find(id)).has_value(); }
};

const std::string root = "一二三四五六七八九十";
const std::string leaf = "甲乙三四五六七八九十";        // near the root
const std::string far_leaf = "甲乙丙丁五六七八九十";    // near the leaf alone
const std::string other_root = "甲乙丙丁戊己七八九十";  // near far_leaf alone
const std::string unlike = "子丑寅卯辰巳午未申酉";

TEST(Arrivals, ADuplicateJoinsTheClassAndNotTheBank) {
  ArrivalState state;
  state.put({{5, root}});
  const CheckOutcome outcome = state.add(3, leaf);
  EXPECT_EQ(outcome.duplicate_of->keeper, 5);
  EXPECT_FALSE(outcome.added);
  EXPECT_TRUE(outcome.joined);
  EXPECT_EQ(outcome.members->representative, 5);
  EXPECT_EQ(outcome.members->questions, 2U);
  EXPECT_EQ(outcome.members->similar, std::vector<QuestionId>{3});
  EXPECT_FALSE(state.is_in_bank(3));
  const QuestionClass found = must(class_of(3, state.store, state.bank));
  EXPECT_EQ(found.representative, 5);
  EXPECT_EQ(found.members.front().status, "arrived");
  EXPECT_EQ(found.members.front().iteration, std::nullopt);
  EXPECT_EQ(found.members.front().compared_with, 5);
  EXPECT_EQ(found.members.front().distance, 2U);
  EXPECT_EQ(found.changes.front().reason, "arrived");
  EXPECT_EQ(found.changes.front().at, timestamp(state.clock.time));
  EXPECT_TRUE(state.breaches().empty());
}

TEST(Arrivals, WhatIsNearALeafAloneIsNewAndJoinsTheTree) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  const CheckOutcome outcome = state.add(2, far_leaf);
  EXPECT_TRUE(outcome.added);
  EXPECT_EQ(outcome.members->representative, 5);
  EXPECT_EQ(outcome.members->questions, 3U);
  EXPECT_TRUE(state.is_in_bank(2));
  EXPECT_FALSE(state.has_arrived(2));
  const QuestionClass found = must(class_of(2, state.store, state.bank));
  EXPECT_EQ(found.members.front().status, "kept");
  EXPECT_EQ(found.members.front().compared_with, 6);
  // And what is near that is in the tree too.
  EXPECT_EQ(state.add(9, other_root).members->questions, 4U);
  EXPECT_TRUE(state.breaches().empty());
}

TEST(Arrivals, OfQuestionsSentTogetherOneEntersAndTheOthersJoinIt) {
  ArrivalState state;
  state.put({{5, unlike}});
  const auto outcomes = state.add({{8, root, std::nullopt},
                                   {7, root, std::nullopt},
                                   {8, root, std::nullopt},
                                   {7, leaf, std::nullopt},
                                   {std::nullopt, root, std::nullopt}});
  EXPECT_TRUE(outcomes[0].added);
  EXPECT_TRUE(outcomes[1].joined);
  EXPECT_EQ(outcomes[2].refused, "the id is in the bank already");
  EXPECT_EQ(outcomes[3].refused, "the id has arrived already");
  EXPECT_EQ(outcomes[4].refused, "a question enters with an id only");
  for (const CheckOutcome& outcome : outcomes) EXPECT_EQ(outcome.members->questions, 2U);
  EXPECT_EQ(state.class_of(7).representative, 8);
  EXPECT_TRUE(state.add(7, root).joined) << "an add that got no answer may be sent again";
  EXPECT_EQ(state.class_of(7).questions, 2U);
}

TEST(Arrivals, TheThreeRules) {
  ArrivalState state;
  state.put_arrived({{1, "一二三四五六七八丙丁"}}, 50 * day);
  state.put_arrived({{9, "甲乙三四五六七八九十"}}, 40 * day);
  EXPECT_EQ(state.add(20, root).members->representative, 9) << "the one that arrived first";
  state.put_arrived({{9, unlike}, {10, unlike}}, std::nullopt);
  ASSERT_FALSE(state.has_arrived(10));
  EXPECT_EQ(state.class_of(20).representative, 1) << "it was a duplicate of this one too";
  EXPECT_EQ(state.add(21, unlike).members->representative, 10) << "not known to have arrived: long ago";
  state.put_arrived({{4, "一二三四五六七八丙戊"}}, 10 * day);
  EXPECT_EQ(state.add(22, root).members->representative, 1) << "the largest";
}

TEST(Arrivals, SweepsAndTheListKnowNothingOfThem) {
  ArrivalState state;
  state.put({{5, root}, {8, root}});
  EXPECT_EQ(state.add(6, leaf).members->representative, 5);
  ASSERT_TRUE(state.sweep());
  EXPECT_EQ(state.deletions({}).size(), 1U);
  EXPECT_EQ(state.class_of(6).questions, 3U);
  EXPECT_TRUE(state.breaches().empty());
}

TEST(Arrivals, FollowTheirRootWhenItIsListed) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  state.put({{2, root}});
  ASSERT_TRUE(state.sweep());
  EXPECT_EQ(state.class_of(6).representative, 2);
  EXPECT_EQ(state.class_of(6).questions, 3U);
  EXPECT_TRUE(state.breaches().empty());
}

TEST(Arrivals, AQuestionMayBeListedInFavourOfOneThatHangsOnIt) {
  ArrivalState state;
  state.put({{20, root}});
  state.add(25, leaf);
  state.put({{1, "一二三四五六七八丙丁"}});
  ASSERT_TRUE(state.sweep());  // 20 in favour of 1
  const CheckOutcome outcome = state.add(7, "甲二三四五六七八九十");
  EXPECT_TRUE(outcome.added) << "20, which it is near, is deleted";
  EXPECT_EQ(outcome.members->representative, 1);
  EXPECT_EQ(outcome.members->questions, 4U);
  state.remove(1);
  state.follow();
  ASSERT_TRUE(state.sweep());  // 20 in favour of 7
  EXPECT_EQ(state.class_of(25).representative, 7);
  EXPECT_EQ(state.class_of(25).questions, 3U);
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST(Arrivals, LeaveWithTheirOnlyPair) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  state.add(7, far_leaf);
  state.remove(5);
  state.follow();
  EXPECT_FALSE(state.has_arrived(6));
  EXPECT_TRUE(state.is_in_bank(7));
  EXPECT_EQ(state.class_of(7).questions, 1U);
  EXPECT_TRUE(state.representatives().empty());
  EXPECT_TRUE(state.add(6, root).added) << "nothing like it is left";
}

TEST(Arrivals, StayWithAQuestionThatIsRemovedBecauseItIsListed) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  state.put({{2, "一二三四五六七八丙丁"}});
  ASSERT_TRUE(state.sweep());
  state.remove(5);
  state.follow();
  EXPECT_EQ(state.class_of(6).representative, 2);
  EXPECT_EQ(state.class_of(6).questions, 3U);
}

TEST(Arrivals, AnImportedOneStaysWhileItsTextDoes) {
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    ArrivalState state;
    state.put({{5, root}});
    state.add(6, leaf);
    state.put({{6, same ? leaf : unlike}});
    state.follow();
    EXPECT_FALSE(state.has_arrived(6));
    EXPECT_EQ(state.class_of(5).questions, same ? 2U : 1U);
    EXPECT_TRUE(state.breaches().empty());
  }
}

TEST(Arrivals, WhatWasAboutToEnterEntersTheNextTime) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  const std::vector<std::string> images = {"h1", "h2"};
  db::Arrival arrival{.question = db::bank_question(7, far_leaf, std::nullopt, {}, images),
                      .at = day,
                      .is_new = true,
                      .duplicates = {}};
  const auto pair_of =
      [](const db::BankQuestion& question, QuestionId other,
         const std::optional<db::BankQuestion>& arrived) -> Result<refine::AnnotatedDeletion> {
    refine::AnnotatedDeletion pair;
    pair.question = question.id;
    pair.keeper = other;
    pair.question_hash = refine::text_hash(question.text);
    pair.keep_hash = refine::text_hash(arrived.value().text);
    return pair;
  };
  const db::FollowedBank followed = must(db::Arrivals(state.store).followed());
  must(state.writer.write([&](db::Store& store) {
    return db::Arrivals(store).add({&arrival, 1}, state.settings.refine, pair_of, nullptr, followed, "now",
                                   [] { return Status(); });
  }));
  EXPECT_FALSE(state.is_in_bank(7));
  state.follow();
  EXPECT_EQ(db::images_of(must(state.bank.find(7)).value()), images);
  EXPECT_EQ(must(state.bank.arrived_before(day + 1)), std::vector<QuestionId>{7});
  EXPECT_FALSE(state.has_arrived(7));
  EXPECT_EQ(state.class_of(7).questions, 3U);
  EXPECT_TRUE(state.breaches().empty());
}

// 30 arrived near 20, which is listed in favour of 5.
class HangingOnAListedOne : public testing::Test {
 protected:
  HangingOnAListedOne() {
    state.put({{5, root}, {20, leaf}});
    state.add(30, far_leaf);
    state.sweep();
  }

  ArrivalState state;
};

TEST_F(HangingOnAListedOne, TheListedOneReturnsWithAnotherText) {
  state.remove(20);
  state.follow();
  EXPECT_TRUE(state.add(20, "甲乙丙丁戊六七八九十").added) << "near 30 alone";
  ASSERT_TRUE(state.sweep());
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST_F(HangingOnAListedOne, TheKeeperReturns) {
  state.remove(5);
  state.follow();
  EXPECT_TRUE(state.add(5, root).added);
  EXPECT_EQ(state.class_of(5).questions, 3U);
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST_F(HangingOnAListedOne, LeavesWithTheDeletionOfWhatIsGone) {
  state.put({{90, unlike}});
  state.remove(20);
  state.follow();
  EXPECT_TRUE(state.has_arrived(30)) << "what is listed stays in its class";
  state.remove(5);
  state.follow();
  ASSERT_TRUE(state.sweep());
  EXPECT_FALSE(state.has_arrived(30));
  EXPECT_TRUE(state.representatives().empty());
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST_F(HangingOnAListedOne, StaysWhenTheListedOneIsBackInTime) {
  state.remove(20);
  state.follow();
  state.put({{20, leaf}});
  state.follow();
  ASSERT_TRUE(must(db::Arrivals(state.store).released()).empty());
  state.put({{5, unlike}});
  ASSERT_TRUE(state.sweep());
  EXPECT_EQ(state.class_of(30).representative, 20);
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST(Arrivals, VerifyLooksAtTheirTextsAndAtWhatRepresentsThem) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  state.put({{5, unlike}});  // and nobody follows
  EXPECT_EQ(state.breaches(), std::vector<std::string>{"text-changed 6 with 5"});
  state.remove(5);
  EXPECT_EQ(state.breaches(),
            (std::vector<std::string>{"keeper-gone 6 with 5", "representative-gone 6 with 5"}));
}

TEST(Arrivals, SetMeasuresFindTheSameWhereManyAreEqual) {
  ArrivalState state;
  state.settings.refine.similarity = refine::Similarity::jaccard;
  state.put({{5, root}, {90, unlike}});
  for (const QuestionId id : {9, 8, 7}) state.add(id, root);
  EXPECT_EQ(state.add(4, root).members->questions, 5U);
  state.remove(5);
  state.follow();
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST(Expiry, ARootOutlivesItsLeavesAndGoesWithTheLast) {
  ArrivalState state;
  state.put_arrived({{5, root}}, 10 * day);
  state.add(6, leaf);
  state.set_time(101 * day);
  state.add(7, far_leaf);
  EXPECT_EQ(state.expire(101 * day, true).arrived, 1U);
  EXPECT_EQ(state.class_of(5).questions, 3U);
  const auto first = state.expire(101 * day);
  EXPECT_EQ(first.arrived, 1U);
  EXPECT_EQ(first.bank, 0U);
  EXPECT_EQ(state.class_of(7).representative, 5) << "it hangs on what the other one hung on";
  EXPECT_EQ(state.class_of(7).questions, 2U);
  EXPECT_EQ(must(class_of(7, state.store, state.bank)).members.front().compared_with, 6);
  EXPECT_TRUE(state.breaches().empty());
  const auto last = state.expire(101 * day + 1);
  EXPECT_EQ(last.arrived, 0U);
  EXPECT_EQ(last.bank, 2U);
  EXPECT_EQ(must(state.bank.count()), 0U);
  EXPECT_TRUE(state.representatives().empty());
}

TEST(Expiry, WithoutAKnownArrivalNothingGoes) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  EXPECT_EQ(state.expire(200 * day).arrived, 1U);
  EXPECT_TRUE(state.is_in_bank(5));
  EXPECT_EQ(state.expire(200 * day).arrived, 0U);
}

TEST(Expiry, AKeeperOutlivesWhatIsListedInItsFavour) {
  ArrivalState state;
  state.put_arrived({{5, root}}, 10 * day);
  state.put_arrived({{6, root}}, 20 * day);
  ASSERT_TRUE(state.sweep());
  EXPECT_EQ(state.expire(15 * day).bank, 0U);
  EXPECT_EQ(state.expire(25 * day).bank, 2U);
  EXPECT_EQ(state.deletions({}).front().status, db::DeletionStatus::withdrawn);
  EXPECT_TRUE(state.breaches().empty());
  EXPECT_TRUE(state.representatives().empty());
}

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

std::string random_text(std::mt19937_64& random) {
  const std::string characters[] = {"甲", "乙"};
  std::string text = random() % 4 == 0 ? "1" : "";
  for (int i = 0; i < 6; ++i) text += characters[random() % 5 == 0 ? 1 : 0];
  return text;
}

void expect_agreement_with_the_slow_twin(const refine::DuplicateSettings& rule, unsigned seed) {
  std::mt19937_64 random(seed);
  TwoWorlds worlds(
      [&](const std::string& a, const std::string& b) { return reference::are_duplicates(a, b, rule); });
  worlds.state().settings.refine = rule;
  const auto some_id = [&] { return static_cast<QuestionId>(random() % 40 + 1); };
  worlds.put({{1, random_text(random)}, {2, random_text(random)}, {1000, unlike}}, std::nullopt);
  for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    ArrivalState& state = worlds.state();
    state.set_time(state.now() + static_cast<std::int64_t>(random() % 3));
    switch (random() % 6) {
      case 0:
        worlds.put({{some_id(), random_text(random)}},
                   random() % 2 == 0 ? std::optional(state.now() - static_cast<std::int64_t>(random() % 20))
                                     : std::nullopt);
        break;
      case 1:
        worlds.remove(some_id());
        break;
      case 2:
        worlds.expire(state.now() - static_cast<std::int64_t>(random() % 15));
        break;
      default: {
        std::vector<AskedQuestion> questions;
        for (auto count = random() % 4 + 1; count > 0; --count)
          questions.push_back({some_id(), random_text(random), std::nullopt});
        worlds.add(questions);
      }
    }
    worlds.compare();
  }
}

TEST_P(ArrivalsRandom, AgreesWithTheSlowTwin) { expect_agreement_with_the_slow_twin({}, GetParam()); }

// 4 is listed in favour of 1, but in the class of 2; and 3 is listed in favour of 1, and a duplicate of 2 as
// well.
TEST(ArrivalsExpiry, KeepsWhatDeletionsRestOnAndLosesFurtherPairs) {
  ArrivalState listed;
  listed.put_arrived({{1, "甲乙丙丁戊己庚辛壬癸"}}, 0);
  listed.put({{2, "寅卯丙丁戊己庚辛子丑"}, {3, "寅卯丙丁戊己庚辛子辰"}, {4, "甲乙丙丁戊己庚辛子丑"}});
  listed.sweep();
  listed.expire(90 * day);
  EXPECT_TRUE(must(listed.bank.find(1)));
  EXPECT_TRUE(listed.breaches().empty()) << testing::PrintToString(listed.breaches());
  ArrivalState further;
  further.put({{1, "甲乙丙丁戊己庚辛壬癸"}, {3, "甲乙丙丁戊己庚辛寅癸"}});
  further.put_arrived({{2, "甲乙丙丁戊己子丑寅癸"}}, 0);
  further.sweep();
  further.expire(90 * day);
  EXPECT_FALSE(must(further.bank.find(2)));
  EXPECT_TRUE(further.breaches().empty()) << testing::PrintToString(further.breaches());
}

class ArrivalsByRule : public testing::TestWithParam<std::size_t> {};

TEST_P(ArrivalsByRule, AgreesWithTheSlowTwin) {
  expect_agreement_with_the_slow_twin(all_rules(80)[GetParam()], 5);
}

INSTANTIATE_TEST_SUITE_P(Rules, ArrivalsByRule, testing::Range(std::size_t{0}, all_rules(80).size()));

// Whatever sweeps do meanwhile, all that arrived is in classes that hold.
TEST_P(ArrivalsRandom, HoldAmongSweeps) {
  std::mt19937_64 random(GetParam());
  ArrivalState state;
  const auto some_id = [&] { return static_cast<QuestionId>(random() % 40 + 1); };
  state.put({{1, random_text(random)}, {2, random_text(random)}, {1000, unlike}});
  for (int step = 0; step < 60 && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    state.set_time(state.now() + static_cast<std::int64_t>(random() % 3));
    switch (random() % 7) {
      case 0:
        state.put_arrived({{some_id(), random_text(random)}}, std::nullopt);
        break;
      case 1:
        state.remove(some_id());
        break;
      case 2:
        state.expire(state.now() - static_cast<std::int64_t>(random() % 15));
        break;
      default:
        for (const CheckOutcome& outcome : state.add(
                 {{some_id(), random_text(random), std::nullopt}, {some_id(), random_text(random), {}}}))
          EXPECT_EQ(outcome.members->similar.size() + 1, outcome.members->questions);
    }
    state.follow();
    state.sweep();
    const std::vector<std::string> breaches = state.breaches();
    EXPECT_TRUE(breaches.empty()) << testing::PrintToString(breaches);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ArrivalsRandom, testing::Range(0U, 12U));

// 20,000 questions as they were asked. Which of them are duplicates is told by the list of all pairs of that
// bank that pass the test, and by nothing of this program.
TEST(ArrivalsConformance, RealQuestionsInTheirClasses) {
  const std::filesystem::path folder = conformance_data();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no conformance data in " << folder;
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<QuestionId> in_pairs;
  std::ifstream pair_file(folder / "pairs.tsv");
  std::string line;
  std::getline(pair_file, line);
  while (std::getline(pair_file, line)) {
    std::istringstream columns(line);
    QuestionId small = 0;
    QuestionId large = 0;
    ASSERT_TRUE(columns >> small >> large) << line;
    pairs.emplace(std::to_string(small), std::to_string(large));
    pairs.emplace(std::to_string(large), std::to_string(small));
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

  TwoWorlds worlds([&](const std::string& a, const std::string& b) { return pairs.contains({a, b}); });
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
