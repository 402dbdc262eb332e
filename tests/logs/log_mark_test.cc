#include "logs/log_mark.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/reference/block_cutting.h"

namespace qdedup::logs {
namespace {

TEST(RunningMark, IsAllZerosAtTheBeginning) {
  RunningMark mark;
  EXPECT_EQ(mark.mark(), LogMark());
  mark.advance("");
  EXPECT_EQ(mark.mark(), LogMark());
}

TEST(RunningMark, AgreesWithItsDefinitionAtEveryOffset) {
  std::mt19937_64 random(1);
  std::string log(5000, ' ');
  for (char& byte : log) byte = static_cast<char>(random());
  RunningMark mark;
  for (std::size_t offset = 1; offset <= log.size(); ++offset) {
    mark.advance(std::string_view(log).substr(offset - 1, 1));
    ASSERT_EQ(mark.mark(), reference::mark_at(log, offset)) << offset;
  }
}

TEST(RunningMark, DoesNotDependOnTheSteps) {
  std::mt19937_64 random(2);
  std::string log(20000, ' ');
  for (char& byte : log) byte = static_cast<char>(random());
  for (const std::size_t longest : {2U, 1023U, 1024U, 1025U, 2049U, 20000U}) {
    RunningMark mark;
    while (mark.offset() < log.size()) {
      const auto offset = static_cast<std::size_t>(mark.offset());
      mark.advance(std::string_view(log).substr(offset, 1 + random() % longest));
      ASSERT_EQ(mark.mark(), reference::mark_at(log, static_cast<std::size_t>(mark.offset())));
    }
  }
}

TEST(RunningMark, GoesOnFromTheWindowsBeforeAnOffset) {
  const std::string log = std::string(3000, 'a') + std::string(3000, 'b');
  RunningMark mark(3500, log.substr(0, 1024), log.substr(3500 - 1024, 1024));
  EXPECT_EQ(mark.mark(), reference::mark_at(log, 3500));
  mark.advance(std::string_view(log).substr(3500, 1));
  EXPECT_EQ(mark.mark(), reference::mark_at(log, 3501));
}

}  // namespace
}  // namespace qdedup::logs
