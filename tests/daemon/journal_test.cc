#include "daemon/journal.h"

#include <cstddef>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/base_sink.h>
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
  (*log)->flush();
  EXPECT_FALSE(goes_to_journal(**log));
  const std::string time = "[0-9-]+T[0-9:]+\\.[0-9]+[+-][0-9:]+ ";
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex(time + "warning: 7 lines\n" + time + "error: bad\n"));
}

TEST(Journal, NothingInAMessagePassesForAnother) {
  const EnvironmentVariable stream("JOURNAL_STREAM", nullptr);
  testing::internal::CaptureStderr();
  const auto log = open_journal("info");
  ASSERT_TRUE(log.ok());
  (*log)->info("a\n2026-01-01T00:00:00.000+00:00 info: b\x1b[2J");
  (*log)->flush();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::EndsWith(" info: a\n  2026-01-01T00:00:00.000+00:00 "
                                "info: b\\x1b[2J\n"));
}

TEST(Journal, AnUnknownLevelIsAnError) {
  const auto log = open_journal("loud");
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, ErrorCode::usage);
}

// Takes messages once it is let; each that is "bad" fails.
class SlowSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void let() { let_.set_value(); }

  std::vector<std::string> taken() {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    free_.wait();
    const std::string payload(message.payload.data(), message.payload.size());
    if (payload == "bad") throw spdlog::spdlog_ex(payload);
    taken_.push_back(payload);
  }
  void flush_() override {}

  std::promise<void> let_;
  std::shared_future<void> free_ = let_.get_future().share();
  std::vector<std::string> taken_;
};

TEST(Journal, NeverWaitsForItsReader) {
  const auto sink = std::make_shared<SlowSink>();
  Journal log(sink);
  const std::string kibibyte(1024, 'x');
  constexpr std::size_t all = 5000;
  for (std::size_t i = 0; i < all; ++i) log.info("{} {}", i, kibibyte);
  const std::size_t dropped = log.dropped();
  const std::size_t kept = all - dropped;
  EXPECT_GT(kept, 500U);
  EXPECT_LE(kept, 1024U);
  sink->let();
  while (sink->taken().size() < kept) log.flush();
  log.info("once more");
  while (sink->taken().size() < kept + 2) log.flush();
  const std::vector<std::string> taken = sink->taken();
  for (std::size_t i = 0; i < kept; ++i) EXPECT_EQ(taken[i], std::to_string(i) + ' ' + kibibyte);
  EXPECT_EQ(taken[kept], "messages dropped because nothing took them: " + std::to_string(dropped));
  EXPECT_EQ(taken[kept + 1], "once more");
  EXPECT_EQ(log.dropped(), dropped);
}

TEST(Journal, EndsThoughNobodyReadsIt) {
  const auto sink = std::make_shared<SlowSink>();
  Journal(sink).info("never taken");
  EXPECT_TRUE(sink.use_count() > 1);  // the thread is still in the write
  sink->let();
}

TEST(Journal, WritesWhatIsLeftBeforeItEnds) {
  const auto sink = std::make_shared<SlowSink>();
  sink->let();
  {
    Journal log(sink);
    for (const char* message : {"first", "second", "last"}) log.critical("{}", message);
  }
  EXPECT_THAT(sink->taken(), testing::ElementsAre("first", "second", "last"));
}

TEST(Journal, CountsWhatCannotBeWritten) {
  const auto sink = std::make_shared<SlowSink>();
  sink->let();
  Journal log(sink);
  log.info("bad");
  log.flush();
  log.info("good");
  log.flush();
  EXPECT_EQ(log.dropped(), 1U);
  EXPECT_THAT(sink->taken(), testing::ElementsAre("messages dropped because nothing took them: 1", "good"));
}

}  // namespace
}  // namespace qdedup::daemon
