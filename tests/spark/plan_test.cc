#include "spark/plan.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/version.h"
#include "markup/compared.h"
#include "tests/support/wrong_numbers.h"

namespace qdedup::spark {
namespace {

using testing::HasSubstr;

Plan some_plan() {
  Plan plan;
  plan.version = program_version();
  plan.iteration = 6;
  plan.text = {markup::Reading::automatic, markup::Numbering::drop};
  plan.rules = markup::rules_version(plan.text);
  plan.shape = {miner::LineFormat::object, "/hits", "id", "score", true, true};
  plan.max_line_bytes = 1000;
  plan.selection = {0.1, 0.3};
  plan.merge.max_cluster_size = 20;
  plan.refine = {81, refine::Similarity::lcs};
  plan.listed.open = {{7, 9, 1, {~std::uint64_t{0}, 5}, true}, {8, 10, 1, {3, 5}, false}};
  plan.listed.rejected = {{9, 11, 1, {4, 5}, true}};
  plan.listed.verified = {{0, 9, 2, {1, 2}, false}};
  plan.listed.reopened = {{12, 3}};
  plan.known = {{1, ~std::uint64_t{0}}, {9, 5}};
  plan.logs = {{"s3a://日志/a\n.log", 17, "ab"}};
  return plan;
}

std::string error_of(const std::string& text) {
  const Result<Plan> plan = read_plan(text);
  return plan.ok() ? "" : plan.error().message;
}

TEST(Plan, IsReadAsItWasWritten) {
  const std::string text = text_of(some_plan());
  const Result<Plan> read = read_plan(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(text_of(*read), text);
  EXPECT_EQ(marks_of(*read), marks_of(some_plan()));
  EXPECT_EQ(read->listed.open, some_plan().listed.open);
  EXPECT_EQ(read->known, some_plan().known);
  EXPECT_EQ(read->logs, some_plan().logs);
  EXPECT_TRUE(expect_own(*read).ok());
}

TEST(Plan, ThatIsCutOffOrNoneIsRefused) {
  const std::string text = text_of(some_plan());
  for (std::size_t end = 0; end + 1 < text.size(); ++end) EXPECT_NE(error_of(text.substr(0, end)), "") << end;
  EXPECT_THAT(error_of("{}\n"), HasSubstr("line 1 of the plan"));
  const std::size_t second = text.find('\n') + 1;
  EXPECT_THAT(error_of(text.substr(0, second) + text.substr(text.find('\n', second) + 1)),
              HasSubstr("cut off"));
}

TEST(Plan, WithSettingsThatNobodyKnowsIsRefused) {
  std::string text = text_of(some_plan());
  const std::string key = "\"similarity\":\"";
  const std::size_t place = text.find(key);
  ASSERT_NE(place, std::string::npos);
  text.insert(place + key.size(), "un");
  EXPECT_THAT(error_of(text), HasSubstr("settings that this version does not know"));
}

TEST(Plan, WithANumberThatIsNoWholeOneIsRefused) {
  const std::string text = text_of(some_plan());
  std::size_t tried = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    for (const std::string& wrong : with_wrong_numbers(text.substr(begin, end - begin))) {
      EXPECT_NE(error_of(text.substr(0, begin) + wrong + text.substr(end)), "") << wrong;
      ++tried;
    }
    begin = end + 1;
  }
  EXPECT_GE(tried, 90U);
}

TEST(Plan, OfAnotherProgramIsRefused) {
  Plan plan = some_plan();
  plan.rules += "x";
  EXPECT_THAT(expect_own(plan).error().message, HasSubstr("made with the rules"));
  plan.version += "x";
  EXPECT_THAT(expect_own(plan).error().message, HasSubstr("made with the version"));
}

TEST(PlanMarks, NameWhatDiffers) {
  const auto difference = [](const auto& change) {
    Plan plan = some_plan();
    change(plan);
    const Status same = expect_same(marks_of(some_plan()), plan);
    return same.ok() ? std::string() : same.error().message;
  };
  EXPECT_EQ(difference([](Plan&) {}), "");
  EXPECT_THAT(difference([](Plan& plan) { plan.selection.min_score = 0.2; }),
              HasSubstr("the settings changed"));
  EXPECT_THAT(difference([](Plan& plan) { plan.rules = "x"; }), HasSubstr("the rules changed"));
  EXPECT_THAT(difference([](Plan& plan) { plan.version = "x"; }), HasSubstr("the version changed"));
  EXPECT_THAT(difference([](Plan& plan) { plan.listed.open[0].compared.keeper = 6; }),
              HasSubstr("the listed pairs changed"));
  EXPECT_THAT(difference([](Plan& plan) { plan.logs.clear(); }), HasSubstr("the consumed logs changed"));
  EXPECT_THAT(difference([](Plan& plan) { plan.iteration = 8; }), HasSubstr("the newest iteration changed"));
}

}  // namespace
}  // namespace qdedup::spark
