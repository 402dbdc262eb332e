#include "review/output.h"

#include <ostream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/review/failing_output.h"

namespace qdedup::review {
namespace {

TEST(Output, TakesBytesAsTheyAre) {
  std::ostringstream out;
  EXPECT_TRUE(write_bytes(out, std::string_view("a\0\xFF", 3)).ok());
  EXPECT_TRUE(flush(out).ok());
  EXPECT_EQ(out.str(), std::string("a\0\xFF", 3));
}

TEST(Output, ThatFailedBeforeIsAnIoError) {
  std::ostringstream out;
  out.setstate(std::ios::failbit);
  EXPECT_EQ(write_bytes(out, "a").error().code, ErrorCode::io);
  EXPECT_EQ(flush(out).error().code, ErrorCode::io);
}

TEST(Output, ThatThrowsIsAnIoError) {
  FailingOutput buffer(0);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  EXPECT_EQ(write_bytes(out, "a").error().code, ErrorCode::io);
}

}  // namespace
}  // namespace qdedup::review
