#include "iteration/log_groups.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace qdedup::iteration {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;

TEST(LogPattern, IsTheFirstGlobThatMatches) {
  const std::vector<std::string> globs = {"/var/log/search/*.log", "/var/log/search/*.log*", "/srv/*/q.log"};
  EXPECT_EQ(log_pattern("/var/log/search/a.log", globs), globs[0]);
  EXPECT_EQ(log_pattern("/var/log/search/a.log.1.gz", globs), globs[1]);
  EXPECT_EQ(log_pattern("/srv/one/q.log", globs), globs[2]);
  EXPECT_EQ(log_pattern("/srv/one/two/q.log", globs), "/srv/one/two/q.log");
  EXPECT_EQ(log_pattern("/var/log/search/.a.log", globs), "/var/log/search/.a.log");
}

TEST(LogPattern, HasNoGenerationWhereNoGlobMatches) {
  for (const char* path : {"/l/search.log", "/l/search.log.1", "/l/search.log.12.gz", "/l/search.log.2.zst",
                           "/l/search.log-20261124", "/l/search-20261124.log",
                           "/l/search.log-20261124-1200.gz", "/l/search.2026-11-24.log"}) {
    EXPECT_EQ(log_pattern(path, {}), "/l/search.log") << path;
  }
  EXPECT_EQ(log_pattern("search.log.1", {}), "search.log");
  EXPECT_EQ(log_pattern("/l.1/web2.log", {}), "/l.1/web2.log");
  EXPECT_EQ(log_pattern("/l/2.log", {}), "/l/2.log");
  EXPECT_EQ(log_pattern("/l/.gz", {}), "/l/");
  EXPECT_EQ(log_pattern("", {}), "");
}

TEST(LogGroups, AddUpTheLogsOfAPattern) {
  const auto log = [](const char* path, std::uint64_t lines, const char* mined) {
    db::LogRecord record;
    record.path = path;
    record.offset = 10 * lines;
    record.totals.lines = lines;
    record.last_mined_at = mined;
    return record;
  };
  std::vector<db::LogRecord> logs = {
      log("/l/a.log.1", 3, "2026-11-20T00:00:00Z"), log("/l/a.log", 4, "2026-11-19T00:00:00Z"),
      log("/l/b.log", 5, "2026-11-18T00:00:00Z"), log("/l/d-1.log", 6, "2026-11-18T00:00:00Z"),
      log("/l/c.log", 0, "2026-11-18T00:00:00Z")};
  logs.back().forgotten_at = "2026-11-21T00:00:00Z";
  const auto groups = group_logs(logs, {});
  EXPECT_THAT(groups, ElementsAre(Key("/l/a.log"), Key("/l/b.log"), Key("/l/d.log")));
  EXPECT_EQ(groups.at("/l/a.log").name, "/l/a.log");
  EXPECT_EQ(groups.at("/l/d.log").name, "/l/d-1.log") << "there is no other";
  EXPECT_EQ(group_logs(logs, {"/l/*"}).at("/l/*").name, "/l/*");
  EXPECT_EQ(groups.at("/l/a.log").logs, 2U);
  EXPECT_EQ(groups.at("/l/a.log").totals.lines, 7U);
  EXPECT_EQ(groups.at("/l/a.log").bytes, 70U);
  EXPECT_EQ(groups.at("/l/a.log").last_mined_at, "2026-11-20T00:00:00Z");
}

}  // namespace
}  // namespace qdedup::iteration
