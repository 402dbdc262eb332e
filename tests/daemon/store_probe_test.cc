#include "daemon/store_probe.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/executor_work_guard.hpp>
#include <gtest/gtest.h>

#include "db/iterations.h"
#include "db/store_writer.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::daemon {
namespace {

// Beside a writer, as in the daemon.
class StoreProbeTest : public testing::Test {
 protected:
  StoreProbeTest() {
    EXPECT_TRUE(writer_.ok());
    EXPECT_TRUE(bank_.ok());
  }

  StoreProbe::Finding look() {
    finding_.reset();
    probe_->ask();
    EXPECT_TRUE(probe_->asked_at());
    while (!finding_) {
      loop_.restart();
      loop_.run_one();
    }
    EXPECT_FALSE(probe_->asked_at());
    return *finding_;
  }

  void move(const std::string& from, const std::string& to) {
    std::filesystem::rename(folder_.path() / from, folder_.path() / to);
  }

  TemporaryFolder folder_;
  db::StateFolder state_{folder_.path().string()};
  Result<db::StoreWriter> writer_ = db::StoreWriter::open(state_);
  Result<db::Bank> bank_ = db::Bank::open(state_, db::Access::read_write);
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(loop_);
  std::optional<StoreProbe::Finding> finding_;
  std::unique_ptr<StoreProbe> probe_ =
      StoreProbe::create(loop_, state_, [this](const StoreProbe::Finding& finding) {
        finding_ = finding;
      }).value();
};

TEST_F(StoreProbeTest, FindsNothingInASoundState) { EXPECT_FALSE(look().trouble); }

TEST_F(StoreProbeTest, NoticesEachFileThatIsMovedAwayAndBack) {
  for (const char* file : {"qdedup.db", "bank.db"}) {
    move(file, "elsewhere");
    const StoreProbe::Finding finding = look();
    ASSERT_TRUE(finding.trouble) << file;
    EXPECT_NE(finding.trouble->message.find(file), std::string::npos);
    EXPECT_FALSE(finding.needs_restart);
    move("elsewhere", file);
    EXPECT_FALSE(look().trouble) << file;
  }
}

TEST_F(StoreProbeTest, NeedsAnotherProcessForALostWal) {
  for (const char* file : {"qdedup.db-wal", "bank.db-wal", "qdedup.db-shm"}) {
    move(file, "elsewhere");
    EXPECT_TRUE(look().needs_restart) << file;
    move("elsewhere", file);
    EXPECT_FALSE(look().trouble) << file;
  }
}

TEST_F(StoreProbeTest, NeedsAnotherProcessForAnotherStoreOnceItIsSound) {
  for (const char* file : {"qdedup.db", "qdedup.db-wal", "qdedup.db-shm"}) {
    move(file, std::string("old-") + file);
  }
  folder_.write("qdedup.db", "half a backup");
  StoreProbe::Finding finding = look();
  EXPECT_TRUE(finding.trouble);
  EXPECT_FALSE(finding.needs_restart);
  const TemporaryFolder other;
  ASSERT_TRUE(db::Store::open(db::StateFolder(other.path()), db::Access::read_write).ok());
  std::filesystem::copy_file(other.path() / "qdedup.db", folder_.path() / "qdedup.db",
                             std::filesystem::copy_options::overwrite_existing);
  finding = look();
  EXPECT_TRUE(finding.trouble);
  EXPECT_TRUE(finding.needs_restart);
}

TEST_F(StoreProbeTest, NoticesWhatIsCutOrZeroed) {
  for (const char* file : {"qdedup.db", "bank.db"}) {
    const std::string content = folder_.read(file);
    const auto put = [&](const std::string& bytes) {
      std::filesystem::resize_file(folder_.path() / file, bytes.size());
      std::fstream(folder_.path() / file, std::ios::in | std::ios::out | std::ios::binary) << bytes;
    };
    for (const std::size_t size :
         {content.size() - 4096, content.size() / 2, std::size_t{4096}, std::size_t{0}}) {
      put(content.substr(0, size));
      EXPECT_TRUE(look().trouble) << file << " of " << size;
      put(content);
      EXPECT_FALSE(look().trouble) << file;
    }
    for (std::size_t begin = 0; begin < content.size(); begin += 7 * 4096) {
      put(std::string(content).replace(begin, 4096, 4096, '\0'));
      const StoreProbe::Finding finding = look();
      EXPECT_TRUE(finding.trouble) << file << " at " << begin;
      EXPECT_FALSE(finding.needs_restart);
      const std::string page = begin == 0 ? "overwritten" : "page " + std::to_string(begin / 4096 + 1) + ' ';
      EXPECT_NE(finding.trouble->message.find(page), std::string::npos) << finding.trouble->message;
    }
    put(content);
    EXPECT_FALSE(look().trouble) << file;
  }
}

TEST_F(StoreProbeTest, APageThatTheLogHasMayBeAnythingInTheDatabase) {
  ASSERT_TRUE(writer_
                  ->write([](db::Store& store) {
                    return db::Slots(store).record(std::chrono::sys_seconds(), "2026-11-20T00:00:00Z");
                  })
                  .ok());
  const std::string log = folder_.read("qdedup.db-wal");
  ASSERT_GT(log.size(), 4096U);
  const auto page = static_cast<unsigned char>(log[35]);  // of the first frame
  ASSERT_GT(page, 1);
  std::fstream database(folder_.path() / "qdedup.db", std::ios::in | std::ios::out | std::ios::binary);
  database.seekp((page - 1) * 4096).write(std::string(4096, '\0').data(), 4096).flush();
  EXPECT_FALSE(look().trouble);
  std::fstream frames(folder_.path() / "qdedup.db-wal", std::ios::in | std::ios::out | std::ios::binary);
  for (std::size_t frame = 32; frame + 24 + 4096 <= log.size(); frame += 24 + 4096) {
    frames.seekp(static_cast<std::streamoff>(frame + 24)).write("damaged", 7).flush();
  }
  (void)look();  // of the pages after that one
  const StoreProbe::Finding finding = look();
  ASSERT_TRUE(finding.trouble);
  EXPECT_NE(finding.trouble->message.find("-wal file"), std::string::npos) << finding.trouble->message;
}

TEST_F(StoreProbeTest, AStoreWhoseFilesAreElsewhereIsNotWritten) {
  const auto record = [this] {
    return writer_->write([](db::Store& store) {
      return db::Slots(store).record(std::chrono::sys_seconds(), "2026-11-20T00:00:00Z");
    });
  };
  for (const char* file : {"qdedup.db", "qdedup.db-wal", "qdedup.db-shm"}) {
    const Status moved_meanwhile = writer_->write([&](db::Store& store) {
      move(file, "elsewhere");
      return db::Slots(store).record(std::chrono::sys_seconds(), "2026-11-20T00:00:00Z");
    });
    ASSERT_FALSE(moved_meanwhile.ok()) << file;
    EXPECT_EQ(moved_meanwhile.error().code, ErrorCode::io);
    EXPECT_FALSE(record().ok()) << file;
    move("elsewhere", file);
  }
  EXPECT_TRUE(record().ok());
  for (const char* file : {"qdedup.db", "qdedup.db-wal", "qdedup.db-shm"}) {
    (void)writer_->stand_aside();  // closes it
    move(file, "elsewhere");
    EXPECT_FALSE(record().ok()) << file;
    move("elsewhere", file);
    EXPECT_TRUE(record().ok()) << file;
  }
  writer_->hold(Error{ErrorCode::data, "damaged"});
  EXPECT_EQ(record().error().message, "damaged");
  writer_->hold(std::nullopt);
  EXPECT_TRUE(record().ok());
}

}  // namespace
}  // namespace qdedup::daemon
