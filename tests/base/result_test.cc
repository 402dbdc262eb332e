#include "base/result.h"

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace qdedup {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{ErrorCode::data, "odd"};
  return number / 2;
}

Status check_quarter(int number) {
  const Result<int> first = half(number);
  QDEDUP_TRY(first);
  QDEDUP_TRY(half(*first));
  return {};
}

Result<std::string> describe(int number) {
  QDEDUP_TRY(check_quarter(number));
  return std::string("fine");
}

TEST(Result, HoldsAValue) {
  Result<int> result = half(4);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(*result, 2);
  EXPECT_EQ(result.value(), 2);
  *result = 7;
  EXPECT_EQ(result.value(), 7);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = half(3);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::data);
  EXPECT_EQ(result.error().message, "odd");
}

TEST(Result, GivesAccessToMembers) {
  const Result<std::string> result = std::string("text");
  EXPECT_EQ(result->size(), 4U);
}

TEST(Result, MovesItsContentOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 5);
  EXPECT_EQ(*half(12), 6);
  EXPECT_EQ(half(1).error().message, "odd");
}

TEST(Status, IsSuccessOrAnError) {
  EXPECT_TRUE(Status().ok());
  const Status failed = Error{ErrorCode::io, "disk"};
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "disk");
}

TEST(Try, LeavesWithTheFirstError) {
  EXPECT_TRUE(check_quarter(8).ok());
  EXPECT_EQ(check_quarter(6).error().message, "odd");
  EXPECT_EQ(check_quarter(5).error().message, "odd");
}

TEST(Try, CarriesTheErrorIntoAnotherType) {
  EXPECT_EQ(*describe(4), "fine");
  EXPECT_EQ(describe(2).error().message, "odd");
}

}  // namespace
}  // namespace qdedup
