#include "cli/session.h"

#include <sstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "tests/support/stopped_clock.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::cli {
namespace {

constexpr const char* long_statement =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT count(*) FROM n";

// A host that counts what connections tell.
class ListeningHost final : public Host {
 public:
  Result<std::shared_ptr<WritableState>> open_for_writing(const db::StateFolder& folder) override {
    return open_writable_state(folder);
  }
  std::shared_ptr<void> begin_mining() override { return nullptr; }
  [[nodiscard]] const logs::Files& files() const override { return files_; }
  [[nodiscard]] std::string user() const override { return "somebody"; }
  [[nodiscard]] db::OnActivity on_activity() override {
    return [this](db::Activity) { ++told; };
  }

  int told = 0;

 private:
  logs::DiskFiles files_;
};

class SilentConsole final : public Console {
 public:
  std::ostream& out() override { return out_; }
  std::ostream& err() override { return out_; }
  void show_progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}

 private:
  std::ostringstream out_;
};

TEST(Session, LetsItsHostKnowThatConnectionsGetOn) {
  const TemporaryFolder folder;
  ASSERT_TRUE(open_writable_state(db::StateFolder(folder.path())).ok());
  config::Settings settings;
  settings.state.folder = folder.path();
  const StoppedClock clock;
  SilentConsole console;
  ListeningHost host;
  const Session session(settings, {}, clock, console, host);

  Result<db::Store> store = session.open_store_for_reading();
  ASSERT_TRUE(store.ok());
  store->database().execAndGet(long_statement);
  const int told_by_store = host.told;
  EXPECT_GT(told_by_store, 0);
  Result<ReadableState> state = session.open_for_reading();
  ASSERT_TRUE(state.ok());
  state->store.database().execAndGet(long_statement);
  EXPECT_EQ(host.told, 2 * told_by_store);
  state->bank.database().execAndGet(long_statement);
  EXPECT_EQ(host.told, 3 * told_by_store);
}

}  // namespace
}  // namespace qdedup::cli
