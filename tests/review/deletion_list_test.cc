#include "review/deletion_list.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/decisions.h"
#include "db/iterations.h"
#include "refine/parts.h"
#include "tests/review/sample_list.h"
#include "tests/support/sample_state.h"

namespace qdedup::review {
namespace {

struct SimilarityRow {
  std::string name;
  std::uint64_t distance;
  std::uint64_t length;
  std::string percent;
};

class SimilarityPercent : public testing::TestWithParam<SimilarityRow> {};

TEST_P(SimilarityPercent, IsRoundedHalfUp) {
  EXPECT_EQ(similarity_percent(GetParam().distance, GetParam().length), GetParam().percent);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SimilarityPercent,
    testing::Values(SimilarityRow{"TwoEmptyHanParts", 0, 0, "100.00"}, SimilarityRow{"Equal", 0, 5, "100.00"},
                    SimilarityRow{"NothingInCommon", 5, 5, "0.00"}, SimilarityRow{"OneOfFive", 1, 5, "80.00"},
                    SimilarityRow{"TwoThirdsUp", 1, 3, "66.67"}, SimilarityRow{"OneThirdDown", 2, 3, "33.33"},
                    SimilarityRow{"OneEighth", 7, 8, "12.50"}, SimilarityRow{"OneDecimal", 1, 10, "90.00"},
                    SimilarityRow{"HalfUpAt0_005", 19'999, 20'000, "0.01"},
                    SimilarityRow{"HalfUpAt0_125", 799, 800, "0.13"},
                    SimilarityRow{"HalfUpAt3_125", 31, 32, "3.13"},
                    SimilarityRow{"HalfUpAt79_995", 4'001, 20'000, "80.00"},
                    SimilarityRow{"HalfUpAt96_875", 1, 32, "96.88"},
                    SimilarityRow{"HalfUpAt99_995", 1, 20'000, "100.00"},
                    SimilarityRow{"JustBelowHalf", 20'003, 100'010, "80.00"},
                    SimilarityRow{"Longest", UINT64_MAX / 2, UINT64_MAX, "50.00"},
                    SimilarityRow{"MoreThanLength", 6, 5, "0.00"}),
    [](const auto& row) { return row.param.name; });

using db::DeletionStatus;
using refine::Confidence;

DeletionEntry entry_with(std::uint64_t distance, std::uint64_t length, refine::Confidence confidence,
                         DeletionStatus status) {
  auto entry = sample_entry(2);
  entry.row.distance = distance;
  entry.row.length = length;
  entry.row.confidence = confidence;
  entry.row.status = status;
  return entry;
}

TEST(ListSummary, OfAnEmptyListIsAllZero) {
  const auto summary = summarise(stream_of({}));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->entries, 0U);
  EXPECT_TRUE(summary->statuses.empty());
}

TEST(ListSummary, CountsByConfidenceAndStatus) {
  const auto summary =
      summarise(stream_of({entry_with(0, 5, Confidence::safe, DeletionStatus::pending),
                           entry_with(0, 5, Confidence::safe, DeletionStatus::approved),
                           entry_with(0, 5, Confidence::doubtful, DeletionStatus::pending)}));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->entries, 3U);
  EXPECT_EQ(summary->with_confidence(Confidence::safe), 2U);
  EXPECT_EQ(summary->with_confidence(Confidence::doubtful), 1U);
  EXPECT_EQ(summary->with_status(DeletionStatus::pending), 2U);
  EXPECT_EQ(summary->with_status(DeletionStatus::approved), 1U);
  EXPECT_EQ(summary->with_status(DeletionStatus::rejected), 0U);
}

TEST(ListSummary, SimilarityIsRoundedDown) {
  ListSummary summary;
  summary.add(entry_with(0, 0, Confidence::safe, DeletionStatus::pending));
  summary.add(entry_with(0, 9, Confidence::safe, DeletionStatus::pending));
  summary.add(entry_with(1, 100'000, Confidence::safe, DeletionStatus::pending));
  summary.add(entry_with(1, 5, Confidence::safe, DeletionStatus::pending));
  summary.add(entry_with(5, 5, Confidence::safe, DeletionStatus::pending));
  summary.add(entry_with(6, 5, Confidence::safe, DeletionStatus::pending));
  EXPECT_EQ(summary.similarity[100], 2U);
  EXPECT_EQ(summary.similarity[99], 1U);
  EXPECT_EQ(summary.similarity[80], 1U);
  EXPECT_EQ(summary.similarity[0], 2U);
}

TEST(ListSummary, ErrorOfTheStreamIsPassedOn) {
  const auto summary = summarise(broken_stream());
  ASSERT_FALSE(summary.ok());
  EXPECT_EQ(summary.error().message, "bank: broken");
}

// Of an approved deletion of 5 in favour of 2, as the bank has them.
class ApprovedDeletion : public testing::Test {
 protected:
  ApprovedDeletion() {
    state_.put({{2, "甲乙丙"}, {5, "甲乙丙"}});
    db::IterationDraft draft;
    draft.record.kind = "logs";
    const std::uint64_t hash = refine::text_hash("甲乙丙");
    draft.outcome.deletions = {{5, 2, 0, 3, Confidence::safe, {}, {}, hash, hash}};
    const std::vector<db::DecisionRequest> requests = {{1, db::Decision::approve, ""}};
    must(state_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
    must(state_.writer.write([&](db::Store& store) {
      return db::Decisions(store).take(requests, {"ann", ""}, db::OnRefusal::change_nothing, false);
    }));
  }

  // Whether it can be had from a stream without outdated ones.
  bool is_given() {
    const DeletionStream entries = without_outdated(must(stream_deletions(state_.store, state_.bank, {})));
    DeletionEntry entry;
    const Result<bool> more = entries(entry);
    EXPECT_TRUE(more.ok() || more.error().message.find("the deletion of 5") != std::string::npos);
    return more.ok() && *more && entry.row.status == DeletionStatus::approved;
  }

  SampleState state_;
};

TEST_F(ApprovedDeletion, IsGivenWhileItsTextsAreThoseThatWereCompared) { EXPECT_TRUE(is_given()); }

TEST_F(ApprovedDeletion, IsNotGivenOnceItsTextChanges) {
  state_.put({{5, "丁"}});
  EXPECT_FALSE(is_given());
}

TEST_F(ApprovedDeletion, IsNotGivenOnceItsKeeperChangesOrGoes) {
  state_.put({{2, "丁"}});
  EXPECT_FALSE(is_given());
  state_.remove(2);
  EXPECT_FALSE(is_given());
}

TEST_F(ApprovedDeletion, IsGivenThoughItsQuestionLeftTheBank) {
  state_.remove(5);
  EXPECT_TRUE(is_given());
}

constexpr std::uint64_t greatest = UINT64_MAX;

TEST(Percentage, OfNothingIsAll) { EXPECT_EQ(hundredths_of_percent(0, 0), 10'000U); }

TEST(Percentage, MoreThanTheWholeIsAll) { EXPECT_EQ(hundredths_of_percent(greatest, 1), 10'000U); }

TEST(Percentage, HundredthsRoundHalfUp) {
  for (std::uint64_t whole = 1; whole <= 400; ++whole) {
    for (std::uint64_t part = 0; part <= whole; ++part) {
      const auto hundredths = hundredths_of_percent(part, whole);
      EXPECT_LE(2 * hundredths * whole, 20'000 * part + whole) << part << " of " << whole;
      EXPECT_GT(2 * hundredths * whole + whole, 20'000 * part) << part << " of " << whole;
    }
  }
}

TEST(Percentage, HundredthsDoNotOverflow) {
  EXPECT_EQ(hundredths_of_percent(greatest / 2, greatest), 5'000U);
  EXPECT_EQ(hundredths_of_percent(greatest - 1, greatest), 10'000U);
  EXPECT_EQ(hundredths_of_percent(1, greatest), 0U);
}

TEST(Percentage, DigitsHaveTwoDecimals) {
  EXPECT_EQ(percent_digits(0), "0.00");
  EXPECT_EQ(percent_digits(7), "0.07");
  EXPECT_EQ(percent_digits(70), "0.70");
  EXPECT_EQ(percent_digits(6'667), "66.67");
  EXPECT_EQ(percent_digits(10'000), "100.00");
}

}  // namespace
}  // namespace qdedup::review
