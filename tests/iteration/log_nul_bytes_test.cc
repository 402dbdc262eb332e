// LogFollower, where a log has NUL bytes: space for lines to come, or what a loss of power left.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/iteration/log_following.h"

namespace qdedup::iteration {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// Space that a writer has reserved for its log, with NUL bytes, and writes to later.
class ReservedSpace : public LogFollowing {
 protected:
  // Lines 0 to 9, and space.
  void reserve(std::uint64_t bytes) {
    write("app.log", numbered_lines(0, 10));
    end_ = std::filesystem::file_size(log("app.log"));
    std::filesystem::resize_file(log("app.log"), end_ + bytes);
    settle();
    expect_all(0, 10);
  }

  // At the beginning of the space.
  void fill(const std::string& bytes) {
    write_at(0, bytes);
    end_ += bytes.size();
  }

  // At this place of the space.
  void write_at(std::uint64_t place, const std::string& bytes) {
    std::fstream file(log("app.log"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(end_ + place));
    file << bytes;
  }

 private:
  std::uint64_t end_ = 0;
};

class ReservedSpaceOf : public ReservedSpace, public testing::WithParamInterface<std::size_t> {};

TEST_P(ReservedSpaceOf, IsReadWhenItIsWritten) {
  reserve(GetParam());
  int next = 10;
  if (GetParam() >= 500) {
    for (; next < 20; ++next) {
      fill(numbered_line(next));
      settle();
      expect_all(0, next + 1);
    }
  }
  expect_no_loss();
  append("app.log", '\n' + numbered_line(next));
  settle();
  expect_all(0, next + 1);
  EXPECT_THAT(possible_losses(),
              ElementsAre("app.log"));  // what is written between them now would not be read
}

// A line has at most 1,000 bytes.
INSTANTIATE_TEST_SUITE_P(Bytes, ReservedSpaceOf, testing::Values(1, 500, 1000, 1001, 8192, 3'000'000));

// Half a line stands before it, as a writer with a buffer leaves it.
TEST_P(ReservedSpaceOf, IsReadAfterHalfALine) {
  reserve(GetParam());
  const std::string line = numbered_line(10);
  if (GetParam() < 500) return;
  fill(line.substr(0, line.size() / 2));
  settle();
  fill(line.substr(line.size() / 2) + numbered_lines(11, 20));
  settle();
  expect_all(0, 20);
  expect_no_loss();
  EXPECT_TRUE(follower->lags().empty());
}

// Reading such space makes it look written to the file system.
TEST_F(ReservedSpace, IsReadWhenItIsAllocated) {
  reserve(0);
  const int file = ::open(log("app.log").c_str(), O_RDWR);
  ASSERT_EQ(::posix_fallocate(file, 0, 5'000'000), 0);
  ::close(file);
  settle();
  fill(numbered_lines(10, 20));
  settle();
  expect_all(0, 20);
  EXPECT_TRUE(follower->lags().empty());
  EXPECT_EQ(follower->counters().bytes_read, numbered_lines(0, 20).size());
}

TEST_F(ReservedSpace, IsReadThoughTheFileShowsNoSign) {
  reserve(8192);
  const auto changed = std::filesystem::last_write_time(log("app.log"));
  fill(numbered_lines(10, 20));
  std::filesystem::last_write_time(log("app.log"), changed);  // as with mmap
  settle();
  expect_all(0, 20);
}

// By a writer that does not begin at the front; each time a part of the space is looked through again.
TEST_F(ReservedSpace, IsReadWhereverItIsWritten) {
  constexpr std::size_t space = 80'000'000;
  reserve(0);
  append("app.log", std::string(space, '\0'));
  settle();
  write_at(space / 2, '\n' + numbered_line(10));
  for (int look = 0; look < 4; ++look) settle();
  expect_all(0, 11);
  EXPECT_THAT(possible_losses(), ElementsAre("app.log"));
  write_at(space - 1'000, '\n' + numbered_line(11));
  for (int look = 0; look < 4; ++look) settle();
  expect_all(0, 12);
}

// As a loss of power leaves them.
TEST_F(LogFollowing, NulBytesWithinALineMayBeLostLines) {
  int number = 0;
  for (const std::size_t count : {1U, 100U, 5000U}) {
    const std::string name = "app.log" + std::to_string(count);
    std::string lines = numbered_lines(number, number + 2);
    lines.insert(lines.size() - 5, count, '\0');
    write(name, lines);
    number += 2;
    settle();
    EXPECT_THAT(possible_losses(), Contains(name));
  }
}

TEST_F(LogFollowing, NulBytesThatALogBeginsWithAreNoLoss) {
  write("app.log", std::string(5000, '\0') + numbered_line(0));
  write("short.log", std::string(5, '\0') + numbered_line(1));
  write("long.log", std::string(5000, '\0') + std::string(5000, 'x') + '\n' + numbered_line(2));
  settle();
  expect_no_loss();
}

TEST_F(ReservedSpace, IsReadToItsEndWhenTheLogIsRemoved) {
  reserve(3'000'000);
  fill(numbered_lines(10, 500));
  rename("app.log", "other");
  std::filesystem::remove(log("other"));
  settle();
  expect_all(0, 500);
}

TEST_F(ReservedSpace, IsNotReadWhileItIsAHole) {
  reserve(std::uint64_t{1} << 40U);
  fill(numbered_lines(10, 20));
  settle();
  expect_all(0, 20);
  EXPECT_TRUE(follower->lags().empty());
}

TEST_F(ReservedSpace, IsNoLossWhenItIsGivenBack) {
  reserve(3'000'000);
  fill(numbered_lines(10, 500));
  settle();
  std::filesystem::resize_file(log("app.log"), numbered_lines(0, 500).size());
  append("app.log", numbered_line(500));
  settle();
  expect_all(0, 501);
  expect_no_loss();
}

}  // namespace
}  // namespace qdedup::iteration
