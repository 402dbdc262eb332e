#include "db/arrivals.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "page/classes.h"
#include "tests/review/arrival_state.h"

namespace qdedup::review {
namespace {

const std::string root = "一二三四五六七八九十";
const std::string leaf = "甲乙三四五六七八九十";        // near the root
const std::string far_leaf = "甲乙丙丁五六七八九十";    // near the leaf alone
const std::string other_root = "甲乙丙丁戊己七八九十";  // near far_leaf alone

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
  const page::QuestionClass found = must(page::class_of(3, state.store, state.bank));
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
  const page::QuestionClass found = must(page::class_of(2, state.store, state.bank));
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
  EXPECT_EQ(outcomes[2].refused, "another question of the request has the id");
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

const std::string listed_otherwise = "the id is on the list or in a class with another text; import it";

// 18 is listed in favour of 3, left the bank, and came to be added with the same text.
class ListedAndArrived : public testing::Test {
 protected:
  ListedAndArrived() {
    state.put({{3, root}, {18, leaf}, {90, unlike}});
    state.sweep();
    state.remove(18);
    state.follow();
    EXPECT_TRUE(state.add(18, leaf).joined);
  }

  void expect_gone() {
    EXPECT_FALSE(state.has_arrived(18));
    EXPECT_TRUE(state.representatives().empty());
    EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
    EXPECT_EQ(state.add(18, "东南西北").refused, "");
  }

  ArrivalState state;
};

TEST_F(ListedAndArrived, GoesWithADeletionThatAnIterationWithdraws) {
  state.put({{3, "东西"}});
  ASSERT_TRUE(state.sweep());
  expect_gone();
}

TEST_F(ListedAndArrived, GoesWithARejectionOnceTheOtherPairIsLost) {
  state.put({{3, "东西"}});
  state.follow();
  state.put({{3, root}});
  state.follow();
  EXPECT_TRUE(state.has_arrived(18)) << "the deletion holds it";
  state.decide(18, db::Decision::reject);
  expect_gone();
}

TEST_F(ListedAndArrived, StaysAfterARejectionWithThePairOfItsArrival) {
  state.decide(18, db::Decision::reject);
  EXPECT_EQ(state.class_of(18).representative, 3);
}

TEST(Arrivals, WithAnotherTextThanIsListedAreRefused) {
  ArrivalState state;
  state.put({{3, root}, {18, leaf}, {14, unlike}});
  state.sweep();
  state.decide(18, db::Decision::approve);
  state.decide(18, db::Decision::apply);
  for (const QuestionId id : {18, 3}) state.remove(id);
  state.follow();
  for (const QuestionId id : {18, 3}) {
    const CheckOutcome outcome = state.add(id, unlike);
    EXPECT_EQ(outcome.duplicate_of->keeper, 14) << id;
    EXPECT_FALSE(outcome.joined) << id;
    EXPECT_EQ(outcome.refused, listed_otherwise) << id;
  }
  EXPECT_EQ(state.class_of(14).questions, 1U);
  EXPECT_TRUE(state.add(3, root).added);
  EXPECT_TRUE(state.add(18, leaf).joined);
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
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
  const std::string near_30_alone = "甲乙丙丁戊六七八九十";
  state.remove(20);
  state.follow();
  EXPECT_EQ(state.add(20, near_30_alone).refused, listed_otherwise);
  EXPECT_EQ(state.class_of(20).representative, 5);
  state.put({{20, near_30_alone}});
  state.follow();
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
  EXPECT_EQ(first.leaving.size(), 0U);
  EXPECT_EQ(state.class_of(7).representative, 5) << "it hangs on what the other one hung on";
  EXPECT_EQ(state.class_of(7).questions, 2U);
  EXPECT_EQ(must(page::class_of(7, state.store, state.bank)).members.front().compared_with, 6);
  EXPECT_TRUE(state.breaches().empty());
  const auto last = state.expire(101 * day + 1);
  EXPECT_EQ(last.arrived, 0U);
  EXPECT_EQ(last.leaving.size(), 2U);
  EXPECT_EQ(must(state.bank.count()), 0U);
  EXPECT_TRUE(state.representatives().empty());
}

TEST(Expiry, WithoutAKnownArrivalNothingGoes) {
  ArrivalState state;
  state.put({{5, root}});
  state.add(6, leaf);
  EXPECT_EQ(state.expire(200 * day).arrived, 1U);
  EXPECT_TRUE(state.is_in_bank(5));
  EXPECT_TRUE(must(db::Arrivals(state.store).released()).empty()) << "nothing is left to settle";
  EXPECT_EQ(state.expire(200 * day).arrived, 0U);
}

TEST(Expiry, AKeeperOutlivesWhatIsListedInItsFavour) {
  ArrivalState state;
  state.put_arrived({{5, root}}, 10 * day);
  state.put_arrived({{6, root}}, 20 * day);
  ASSERT_TRUE(state.sweep());
  EXPECT_EQ(state.expire(15 * day).leaving.size(), 0U);
  EXPECT_EQ(state.expire(25 * day).leaving.size(), 2U);
  EXPECT_EQ(state.deletions({}).front().status, db::DeletionStatus::withdrawn);
  EXPECT_TRUE(state.breaches().empty());
  EXPECT_TRUE(state.representatives().empty());
}

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

// 3 was listed in favour of 1, which was rejected, and stays in the class by its further pair with 2; and has
// left the bank.
TEST(ArrivalsExpiry, SettlesWhatIsHeldByAFurtherPair) {
  ArrivalState state;
  state.put({{1, "甲乙丙丁戊己庚辛壬癸"}, {3, "甲乙丙丁戊己庚辛寅癸"}});
  state.put_arrived({{2, "甲乙丙丁戊己子丑寅癸"}}, 0);
  state.sweep();
  state.decide(3, db::Decision::reject);
  state.remove(3);
  ASSERT_EQ(state.class_of(3).representative, 2);
  state.expire(90 * day);
  EXPECT_FALSE(must(state.bank.find(2)));
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST(ArrivalsExpiry, WithdrawsWhatIsListedInItsFavourOfAQuestionThatIsGone) {
  ArrivalState state;
  state.put_arrived({{1, "甲乙丙丁戊己庚"}}, 0);
  state.put({{2, "甲乙丙丁戊己庚辛"}});
  state.sweep();
  state.remove(2);
  EXPECT_EQ(state.expire(90 * day).leaving.size(), 1U);
  EXPECT_EQ(state.deletions({}).front().status, db::DeletionStatus::withdrawn);
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
}

TEST(ArrivalsExpiry, KeepsWhatStandsForADeletedQuestion) {
  for (const bool has_left : {true, false}) {
    ArrivalState state;
    state.put_arrived({{1, root}}, 10 * day);
    state.put_arrived({{3, root}}, 20 * day);
    state.sweep();
    state.decide(3, db::Decision::approve);
    state.decide(3, db::Decision::apply);
    if (has_left) state.remove(3);
    EXPECT_EQ(state.expire(15 * day).leaving.size(), 0U);
    EXPECT_EQ(state.expire(30 * day).leaving.size(), has_left ? 0U : 2U);
    EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
  }
}

// 4 hangs on 9, which is listed in favour of 1.
TEST(ArrivalsExpiry, LetsGoWhatWouldHangOnAQuestionThatIsGone) {
  ArrivalState state;
  state.put({{1, "甲乙丙丁戊己庚"}, {50, unlike}});
  state.put_arrived({{9, "甲乙丙丁戊己庚"}}, 0);
  state.add(4, "甲乙丙丁戊己庚");
  state.sweep();
  state.remove(1);
  state.follow();
  EXPECT_EQ(state.expire(90 * day).leaving.size(), 1U);
  EXPECT_FALSE(state.has_arrived(4));
  EXPECT_TRUE(state.representatives().empty());
  EXPECT_TRUE(state.breaches().empty()) << testing::PrintToString(state.breaches());
  EXPECT_TRUE(state.add(4, "甲乙丙丁戊己庚").added);
}

}  // namespace
}  // namespace qdedup::review
