#include "daemon/metrics.h"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/version.h"
#include "tests/daemon/prometheus_page.h"

namespace qdedup::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

DaemonStatus sample_status() {
  DaemonStatus status;
  status.started_at = system_clock::time_point(milliseconds(1795143612250));
  status.log_paths = {"/var/log/search/*", "/srv/*.log"};
  status.now = system_clock::time_point(seconds(1795143700));
  status.steady_now = Heartbeat::Time(seconds(1000));
  status.tail.lags["/var/log/search/a.log"] = {7, status.steady_now - milliseconds(500)};
  status.tail.lags["/var/log/search/b.log"] = {8, status.steady_now - milliseconds(250)};
  status.tail.lags["/elsewhere/c.log"] = {9, status.steady_now - milliseconds(750)};
  status.tail.problems.emplace("/var/log/search/c.log", Error{ErrorCode::no_input, "permission denied"});
  status.tail.waiting = {"/var/log/search/d.log.gz", "/var/log/search/e.log.gz"};
  status.tail.counters.totals.selected = 9'007'199'254'740'991;
  status.tail.counters.totals.unselected = 2;
  status.tail.counters.totals.rejected = {{"bad_json", 3}, {"blank", 4}};
  status.tail.counters.bytes_mined = 5;
  status.tail.failures = 14;
  status.worker = Worker::RunningJob{"iteration", status.steady_now, {status.steady_now}};
  status.lease = Leases::Report{.command = "import",
                                .holder = "ann (process 7)",
                                .since = status.steady_now - seconds(30),
                                .moved = status.steady_now - seconds(29)};
  status.idle_lease = seconds(30);
  status.iterations.succeeded = 15;
  status.iterations.failed = 16;
  status.dropped_messages = 17;
  status.next_slot = std::chrono::sys_seconds(seconds(1795748400));
  status.waiting_slot = SlotKeeper::Waiting{*status.next_slot, 28};
  status.check_index = {.wanted = true,
                        .building = status.steady_now,
                        .built_at = status.steady_now - seconds(86),
                        .questions = 26,
                        .bytes = 27,
                        .failure = ""};
  return status;
}

StoredMetrics sample_stored() {
  StoredMetrics stored;
  stored.possible_losses = {"/var/log/search/a.log", "/gone/a.log"};
  stored.possible_twices = {"/var/log/search/a.log"};
  iteration::LogGroup& group = stored.log_groups["/var/log/search/*"];
  group.logs = 6;
  group.last_mined_at = timestamp(system_clock::time_point(seconds(1795143600)));
  stored.log_groups["/elsewhere"].logs = 1;
  stored.waiting.selected = 8;
  stored.waiting.bytes = 9;
  stored.waiting.since = timestamp(system_clock::time_point(seconds(1795143601)));
  stored.withheld_iterations = {5, 6};
  stored.store_bytes = 10;
  stored.store_wal_bytes = 11;
  stored.bank_bytes = 12;
  stored.questions = 13;
  db::IterationRecord& iteration = stored.last_iteration.emplace();
  iteration.started_at = timestamp(system_clock::time_point(seconds(1795143596)));
  iteration.finished_at = timestamp(system_clock::time_point(seconds(1795143613)));
  iteration.counts.distinct_lists = 18;
  iteration.counts.clusters = 19;
  iteration.counts.ids = 20;
  iteration.counts.missing = 21;
  iteration.counts.deletions = 22;
  iteration.counts.withdrawn = 23;
  stored.deletions = {{"approved", 24}, {"pending", 25}};
  return stored;
}

PrometheusPage page_of(const DaemonStatus& status, const std::optional<StoredMetrics>& stored) {
  return PrometheusPage::parse(metrics_text(status, stored));
}

double possible_loss(const std::string& path, const std::string& label) {
  StoredMetrics stored;
  stored.possible_losses = {path};
  return page_of({}, stored).value("qdedup_log_possible_loss", {{"path", label}});
}

TEST(Metrics, ShowsEveryFigure) {
  const PrometheusPage page = page_of(sample_status(), sample_stored());
  EXPECT_EQ(page.value("qdedup_build_info", {{"version", program_version()}}), 1);
  EXPECT_EQ(page.value("qdedup_start_time_seconds"), 1795143612.25);
  EXPECT_EQ(page.value("qdedup_worker_busy"), 1);
  EXPECT_EQ(page.value("qdedup_dropped_messages_total"), 17);
  EXPECT_EQ(page.value("qdedup_lease_idle_seconds"), 29);
  EXPECT_EQ(page.value("qdedup_store_usable"), 1);
  EXPECT_EQ(page.value("qdedup_awaited_log_bytes"), 28);
  EXPECT_EQ(page.value("qdedup_next_slot_timestamp_seconds"), 1795748400);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "selected"}}), 9'007'199'254'740'991);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "unselected"}}), 2);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "rejected"}}), 7);
  EXPECT_EQ(page.value("qdedup_rejected_lines_total", {{"reason", "bad_json"}}), 3);
  EXPECT_EQ(page.value("qdedup_log_bytes_total"), 5);
  EXPECT_EQ(page.value("qdedup_possible_loss_logs"), 2);
  EXPECT_EQ(page.value("qdedup_possible_twice_logs"), 1);
  EXPECT_EQ(page.value("qdedup_log_possible_loss", {{"path", "/var/log/search/a.log"}}), 1);
  EXPECT_EQ(page.value("qdedup_log_possible_loss", {{"path", "/gone/a.log"}}), 1);
  EXPECT_EQ(page.value("qdedup_log_possible_twice", {{"path", "/var/log/search/a.log"}}), 1);
  EXPECT_EQ(page.value("qdedup_logs", {{"pattern", "/var/log/search/*"}}), 6);
  EXPECT_EQ(page.value("qdedup_logs", {{"pattern", "/srv/*.log"}}), 0);
  EXPECT_EQ(page.value("qdedup_log_last_mined_timestamp_seconds", {{"pattern", "/var/log/search/*"}}),
            1795143600);
  EXPECT_EQ(page.value("qdedup_log_lag_bytes", {{"pattern", "/var/log/search/*"}}), 15);
  EXPECT_EQ(page.value("qdedup_log_lag_seconds", {{"pattern", "/var/log/search/*"}}), 0.5);
  EXPECT_EQ(page.value("qdedup_log_lag_bytes", {{"pattern", "/srv/*.log"}}), 0);
  EXPECT_EQ(page.families.at("qdedup_logs").samples.size(), 2U);
  EXPECT_EQ(page.families.at("qdedup_log_last_mined_timestamp_seconds").samples.size(), 1U);
  EXPECT_EQ(page.value("qdedup_log_problems", {{"kind", "unreadable"}}), 1);
  EXPECT_EQ(page.value("qdedup_log_problems", {{"kind", "incomplete"}}), 2);
  EXPECT_EQ(page.value("qdedup_waiting_lists"), 8);
  EXPECT_EQ(page.value("qdedup_waiting_bytes"), 9);
  EXPECT_EQ(page.value("qdedup_waiting_since_timestamp_seconds"), 1795143601);
  EXPECT_EQ(page.value("qdedup_held_iterations"), 2);
  EXPECT_EQ(page.value("qdedup_bank_complete"), 1);
  EXPECT_EQ(page.value("qdedup_healthy"), 1);
  EXPECT_EQ(page.value("qdedup_store_bytes"), 10);
  EXPECT_EQ(page.value("qdedup_store_wal_bytes"), 11);
  EXPECT_EQ(page.value("qdedup_bank_bytes"), 12);
  EXPECT_EQ(page.value("qdedup_bank_questions"), 13);
  EXPECT_EQ(page.value("qdedup_failed_commits_total"), 14);
  EXPECT_EQ(page.value("qdedup_iterations_total", {{"result", "success"}}), 15);
  EXPECT_EQ(page.value("qdedup_iterations_total", {{"result", "failure"}}), 16);
  EXPECT_EQ(page.value("qdedup_last_iteration_duration_seconds"), 17);
  EXPECT_EQ(page.value("qdedup_last_iteration_success_timestamp_seconds"), 1795143613);
  EXPECT_EQ(page.value("qdedup_last_iteration_distinct_lists"), 18);
  EXPECT_EQ(page.value("qdedup_last_iteration_clusters"), 19);
  EXPECT_EQ(page.value("qdedup_last_iteration_questions"), 20);
  EXPECT_EQ(page.value("qdedup_last_iteration_missing_questions"), 21);
  EXPECT_EQ(page.value("qdedup_last_iteration_deletions"), 22);
  EXPECT_EQ(page.value("qdedup_last_iteration_withdrawn_deletions"), 23);
  EXPECT_EQ(page.value("qdedup_deletions", {{"status", "pending"}}), 25);
  EXPECT_EQ(page.value("qdedup_check_index_building"), 1);
  EXPECT_EQ(page.value("qdedup_check_index_timestamp_seconds"), 1795143614);
  EXPECT_EQ(page.value("qdedup_check_index_questions"), 26);
  EXPECT_EQ(page.value("qdedup_check_index_bytes"), 27);
}

TEST(Metrics, FollowsTheNamingRules) {
  for (const auto& [name, family] : page_of(sample_status(), sample_stored()).families) {
    EXPECT_THAT(name, testing::StartsWith("qdedup_"));
    EXPECT_EQ(name.ends_with("_total"), family.type == "counter") << name;
    EXPECT_THAT(family.help, testing::EndsWith(".")) << name;
    for (const char* unit : {"_ms", "milli", "minutes", "_kb", "_mb", "percent"}) {
      EXPECT_EQ(name.find(unit), std::string::npos) << name;
    }
  }
}

TEST(Metrics, LeavesOutWhatIsNotThere) {
  const PrometheusPage page = page_of({}, StoredMetrics());
  EXPECT_FALSE(page.families.contains("qdedup_next_slot_timestamp_seconds"));
  EXPECT_FALSE(page.families.contains("qdedup_check_index_timestamp_seconds"));
  EXPECT_FALSE(page.families.contains("qdedup_last_iteration_duration_seconds"));
  EXPECT_TRUE(page.families.at("qdedup_log_lag_bytes").samples.empty());
  EXPECT_FALSE(page.families.contains("qdedup_waiting_since_timestamp_seconds"));
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "selected"}}), 0);
}

TEST(Metrics, ShowWhatStopsTheWork) {
  DaemonStatus status;
  status.iterations.last_failure = "no room";
  StoredMetrics stored;
  stored.incomplete_import = true;
  EXPECT_EQ(page_of(status, stored).value("qdedup_healthy"), 0);
  EXPECT_EQ(page_of(status, stored).value("qdedup_bank_complete"), 0);
}

TEST(Metrics, CountLogsThatHaveAProblemOfTheirOwn) {
  DaemonStatus status = sample_status();
  status.tail.trouble = Error{ErrorCode::busy, "too many open files"};
  const PrometheusPage page = page_of(status, sample_stored());
  EXPECT_EQ(page.value("qdedup_log_problems", {{"kind", "unreadable"}}), 1);
  EXPECT_EQ(page.value("qdedup_healthy"), 0);
}

TEST(Metrics, LeaveOutTheStateThatCannotBeRead) {
  const PrometheusPage page = page_of(sample_status(), std::nullopt);
  EXPECT_EQ(page.value("qdedup_store_usable"), 0);
  EXPECT_EQ(page.value("qdedup_check_index_questions"), 26);
  EXPECT_TRUE(page.families.contains("qdedup_lines_total"));
  for (const char* name : {"qdedup_logs", "qdedup_log_lag_bytes", "qdedup_bank_questions"}) {
    EXPECT_FALSE(page.families.contains(name)) << name;
  }
}

TEST(Metrics, EscapesPaths) {
  for (const std::string path :
       {"/a\\b", "/a\"b", "/a\nb", "/a} 1\nevil 2", "/题.log", "/a\\nb", "/a,b={}", "/tab\tb"}) {
    EXPECT_EQ(possible_loss(path, path), 1);
  }
}

TEST(Metrics, IsUtf8WhateverThePath) { EXPECT_EQ(possible_loss("/a\xFF\xC0z", "/a\\xff\\xc0z"), 1); }

}  // namespace
}  // namespace qdedup::daemon
