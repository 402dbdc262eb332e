#include "review/labelled_pairs.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/memory_source.h"

namespace qdedup::review {
namespace {

Result<std::vector<LabelledPair>> read(std::string_view text) {
  return read_labelled_pairs(
      import::LineReader(std::make_unique<MemorySource>(std::string(text)), 0, "pairs.tsv"));
}

std::vector<LabelledPair> pairs_of(std::string_view text) {
  Result<std::vector<LabelledPair>> pairs = read(text);
  EXPECT_TRUE(pairs.ok()) << pairs.error().message;
  return pairs.ok() ? *pairs : std::vector<LabelledPair>();
}

std::string error_of(std::string_view text) {
  const auto pairs = read(text);
  return pairs.ok() ? "" : pairs.error().message;
}

TEST(LabelledPairs, ReadsColumnsByName) {
  const auto pairs =
      pairs_of("subject\tlabel\tdistance\tlarge_id\tsmall_id\tlabelled_by\nmath\tsame\t3\t8\t7\thand\n");
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0], (LabelledPair{7, 8, PairLabel::same, "hand", "math"}));
}

TEST(LabelledPairs, WhoLabelledAndTheSubjectMayBeMissing) {
  const auto pairs = pairs_of("small_id\tlarge_id\tlabel\n7\t8\tdifferent\n");
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0], (LabelledPair{7, 8, PairLabel::different, "", ""}));
}

TEST(LabelledPairs, OfABadCellTheErrorShowsTheBeginning) {
  const std::string header = "small_id\tlarge_id\tlabel\n";
  const std::string cell(1000, 'x');
  const std::string begin = std::string(40, 'x') + "…";
  EXPECT_EQ(error_of(header + cell + "\t8\tsame\n"), "pairs.tsv:2: not an id: " + begin);
  EXPECT_EQ(error_of(header + "7\t8\t" + cell + "\n"), "pairs.tsv:2: not a label: " + begin);
}

TEST(LabelledPairs, ReadsEveryLabel) {
  for (const PairLabel label : {PairLabel::same, PairLabel::different, PairLabel::reordered,
                                PairLabel::unclear, PairLabel::unknown}) {
    const auto pairs = pairs_of("small_id\tlarge_id\tlabel\n7\t8\t" + std::string(label_name(label)));
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].label, label);
  }
}

TEST(LabelledPairs, SkipsByteOrderMarkCarriageReturnsAndEmptyLines) {
  EXPECT_EQ(pairs_of("\xEF\xBB\xBFsmall_id\tlarge_id\tlabel\r\n\r\n7\t8\tsame\r\n").size(), 1U);
}

TEST(LabelledPairs, TheLargestId) {
  EXPECT_EQ(pairs_of("small_id\tlarge_id\tlabel\n1\t9223372036854775807\tsame\n")[0].large_id,
            max_question_id);
}

TEST(LabelledPairs, NamesFileAndLineOfErrors) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"", "pairs.tsv: there is no header"},
      {"small_id\tlabel\n", "pairs.tsv:1: the header names no column large_id, but: small_id | label"},
      {"\nsmall_id\tlarge_id\n", "pairs.tsv:2: the header names no column label, but: small_id | large_id"},
      {"small_id\tlarge_id\tlabel\n7\t8\tsame\n7\tx\tsame\n", "pairs.tsv:3: not an id: x"},
      {"small_id\tlarge_id\tlabel\n0\t8\tsame\n", "pairs.tsv:2: not an id: 0"},
      {"small_id\tlarge_id\tlabel\n7\t9223372036854775808\tsame\n",
       "pairs.tsv:2: not an id: 9223372036854775808"},
      {"small_id\tlarge_id\tlabel\n7\t8\n", "pairs.tsv:2: wrong number of fields (2 instead of 3)"},
      {"small_id\tlarge_id\tlabel\tsubject\n7\t8\tsame\n",
       "pairs.tsv:2: wrong number of fields (3 instead of 4)"},
      {"small_id\tlarge_id\tlabel\n7\t8\tsame\tmath\n",
       "pairs.tsv:2: wrong number of fields (4 instead of 3)"},
      {"small_id\tlarge_id\tlabel\n7\t8\t\n", "pairs.tsv:2: not a label: "},
      {"small_id\tlarge_id\tlabel\n\n7\t8\tequal\n", "pairs.tsv:3: not a label: equal"},
      {"small_id\tlarge_id\tlabel\n7\t7\tsame\n", "pairs.tsv:2: both ids are 7"},
      {"label\tsmall_id\tlarge_id\tlabel\n", "pairs.tsv:1: the header names the column label twice"}};
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message);
}

}  // namespace
}  // namespace qdedup::review
