#include "daemon/journal.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/systemd_sink.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/environment_variable.h"

namespace qdedup::daemon {
namespace {

using testing::MatchesRegex;

// What $JOURNAL_STREAM would be if the descriptor were the journal.
std::string stream_of(int descriptor) {
  struct stat file {};
  EXPECT_EQ(fstat(descriptor, &file), 0);
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

bool goes_to_journal(const spdlog::logger& log) {
  return std::dynamic_pointer_cast<spdlog::sinks::systemd_sink_mt>(log.sinks().front()) != nullptr;
}

TEST(Journal, IsWhereDeviceAndInodeSaySo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_TRUE(is_journal(ends[0], stream_of(ends[0]).c_str()));
  EXPECT_FALSE(is_journal(ends[0], nullptr));
  EXPECT_FALSE(is_journal(ends[0], ""));
  EXPECT_FALSE(is_journal(ends[0], "1:2"));
  EXPECT_FALSE(is_journal(ends[0], (stream_of(ends[0]) + "0").c_str()));
  const std::string gone = stream_of(ends[1]);
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(is_journal(ends[1], gone.c_str()));
}

TEST(Journal, IsUsedWhenStandardErrorGoesThere) {
  const EnvironmentVariable stream("JOURNAL_STREAM", stream_of(STDERR_FILENO).c_str());
  const auto log = open_journal("info");
  ASSERT_TRUE(log.ok());
  EXPECT_TRUE(goes_to_journal(**log));
}

TEST(Journal, ElseLinesGoToStandardErrorWithTimeAndLevel) {
  const EnvironmentVariable stream("JOURNAL_STREAM", nullptr);
  testing::internal::CaptureStderr();
  const auto log = open_journal("warning");
  ASSERT_TRUE(log.ok());
  (*log)->info("not shown");
  (*log)->warn("{} lines", 7);
  (*log)->error("bad");
  EXPECT_FALSE(goes_to_journal(**log));
  const std::string time = "[0-9-]+T[0-9:]+\\.[0-9]+[+-][0-9:]+ ";
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex(time + "warning: 7 lines\n" + time + "error: bad\n"));
}

TEST(Journal, AnUnknownLevelIsAnError) {
  const auto log = open_journal("loud");
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, ErrorCode::usage);
}

}  // namespace
}  // namespace qdedup::daemon
