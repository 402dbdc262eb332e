#include "refine/confidence.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::refine {
namespace {

TEST(Risk, IsBetweenNoneAndCertain) {
  EXPECT_EQ(Risk().ten_thousandths(), 0);
  EXPECT_EQ(Risk(10'000).ten_thousandths(), 10'000);
  EXPECT_EQ(Risk(-1), Risk(0));
  EXPECT_EQ(Risk(10'001), Risk(Risk::certain));
  EXPECT_LT(Risk(99), Risk(100));
}

TEST(Risk, HasFourDecimals) {
  EXPECT_EQ(text_of(Risk(0)), "0.0000");
  EXPECT_EQ(text_of(Risk(1)), "0.0001");
  EXPECT_EQ(text_of(Risk(123)), "0.0123");
  EXPECT_EQ(text_of(Risk(9999)), "0.9999");
  EXPECT_EQ(text_of(Risk(10'000)), "1.0000");
}

TEST(Risk, EachComesBackFromItsText) {
  for (int risk = 0; risk <= Risk::certain; ++risk) EXPECT_EQ(parse_risk(text_of(Risk(risk))), Risk(risk));
}

TEST(Risk, MayHaveFewerDecimals) {
  EXPECT_EQ(parse_risk("0"), Risk(0));
  EXPECT_EQ(parse_risk("1"), Risk(10'000));
  EXPECT_EQ(parse_risk("1.0"), Risk(10'000));
  EXPECT_EQ(parse_risk("0.5"), Risk(5000));
  EXPECT_EQ(parse_risk("0.01"), Risk(100));
}

TEST(Risk, OtherTextsAreNone) {
  for (const char* text :
       {"",    ".",    "0.",   ".5",   "1.",   "2",   "1.0001", "0.00001", "0.12345", "-0.1", "+0.1",
        "0,1", "0.1 ", " 0.1", "00.1", "1e-2", "nan", "0.x",    "0.1.2",   "10",      "0x1"}) {
    EXPECT_EQ(parse_risk(text), std::nullopt) << text;
  }
}

TEST(Reasons, HaveNamesEachOnce) {
  const Reasons reasons("quantity;polarity:多/少;unit;polarity:大/小");
  EXPECT_EQ(reasons.names(), (std::vector<std::string_view>{"polarity", "quantity", "unit"}));
  EXPECT_TRUE(Reasons().names().empty());
}

TEST(ApprovalPolicy, ApprovesWhatIsSafeUpToARisk) {
  const ApprovalPolicy policy{Risk(100)};
  EXPECT_TRUE(policy.approves(Confidence::safe, {}, Risk(100)));
  EXPECT_FALSE(policy.approves(Confidence::safe, {}, Risk(101)));
  EXPECT_FALSE(policy.approves(Confidence::doubtful, Reasons("unit"), Risk(0)));
  EXPECT_FALSE(ApprovalPolicy().approves(Confidence::safe, {}, Risk(0)));
}

TEST(ApprovalPolicy, NeverApprovesAnIncompleteText) {
  const ApprovalPolicy policy{Risk(Risk::certain)};
  EXPECT_TRUE(policy.approves(Confidence::safe, {}, Risk(Risk::certain)));
  for (const char* reasons : {"needs-figure", "too-short", "unit;too-short", "needs-figure;too-short"}) {
    EXPECT_FALSE(policy.approves(Confidence::safe, Reasons(reasons), Risk(0))) << reasons;
    EXPECT_FALSE(policy.approves(Confidence::doubtful, Reasons(reasons), Risk(0))) << reasons;
  }
}

}  // namespace
}  // namespace qdedup::refine
