#include "daemon/metrics.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/prometheus_page.h"

namespace qdedup::daemon {
namespace {

Metrics sample_metrics() {
  Metrics metrics;
  metrics.version = "1.2.3";
  metrics.started_at = 1795143612.25;
  metrics.selected_lines = 9'007'199'254'740'991;
  metrics.unselected_lines = 2;
  metrics.rejected_lines = {{"bad_json", 3}, {"blank", 4}};
  metrics.bytes_read = 5;
  metrics.possible_losses = 6;
  metrics.logs = {
      {.path = "/var/log/search/a.log", .lag_bytes = 7, .lag_seconds = 0.5, .possible_loss = true},
      {.path = "/var/log/search/b.log", .lag_bytes = 0, .lag_seconds = 0, .possible_loss = false}};
  metrics.log_problems = {{"permission", 1}};
  metrics.waiting_lists = 8;
  metrics.waiting_bytes = 9;
  metrics.store_bytes = 10;
  metrics.store_wal_bytes = 11;
  metrics.bank_bytes = 12;
  metrics.questions = 13;
  metrics.failed_commits = 14;
  metrics.succeeded_iterations = 15;
  metrics.failed_iterations = 16;
  metrics.last_iteration = IterationFigures{.duration_seconds = 17.5,
                                            .finished_at = 1795143613,
                                            .distinct_lists = 18,
                                            .clusters = 19,
                                            .ids = 20,
                                            .missing = 21,
                                            .deletions = 22,
                                            .withdrawn = 23};
  metrics.deletions = {{"approved", 24}, {"pending", 25}};
  metrics.next_slot = 1795748400;
  metrics.worker_busy = true;
  metrics.check_index_building = true;
  metrics.check_index_built_at = 1795143614;
  metrics.check_index_questions = 26;
  metrics.check_index_bytes = 27;
  return metrics;
}

TEST(Metrics, ShowsEveryFigure) {
  const PrometheusPage page = PrometheusPage::parse(metrics_text(sample_metrics()));
  EXPECT_EQ(page.value("qdedup_build_info", {{"version", "1.2.3"}}), 1);
  EXPECT_EQ(page.value("qdedup_start_time_seconds"), 1795143612.25);
  EXPECT_EQ(page.value("qdedup_worker_busy"), 1);
  EXPECT_EQ(page.value("qdedup_next_slot_timestamp_seconds"), 1795748400);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "selected"}}), 9'007'199'254'740'991);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "unselected"}}), 2);
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "rejected"}}), 7);
  EXPECT_EQ(page.value("qdedup_rejected_lines_total", {{"reason", "bad_json"}}), 3);
  EXPECT_EQ(page.value("qdedup_log_bytes_total"), 5);
  EXPECT_EQ(page.value("qdedup_possible_loss_total"), 6);
  EXPECT_EQ(page.value("qdedup_log_lag_bytes", {{"path", "/var/log/search/a.log"}}), 7);
  EXPECT_EQ(page.value("qdedup_log_lag_seconds", {{"path", "/var/log/search/a.log"}}), 0.5);
  EXPECT_EQ(page.value("qdedup_log_possible_loss", {{"path", "/var/log/search/a.log"}}), 1);
  EXPECT_EQ(page.value("qdedup_log_possible_loss", {{"path", "/var/log/search/b.log"}}), 0);
  EXPECT_EQ(page.value("qdedup_log_problems", {{"kind", "permission"}}), 1);
  EXPECT_EQ(page.value("qdedup_waiting_lists"), 8);
  EXPECT_EQ(page.value("qdedup_waiting_bytes"), 9);
  EXPECT_EQ(page.value("qdedup_store_bytes"), 10);
  EXPECT_EQ(page.value("qdedup_store_wal_bytes"), 11);
  EXPECT_EQ(page.value("qdedup_bank_bytes"), 12);
  EXPECT_EQ(page.value("qdedup_bank_questions"), 13);
  EXPECT_EQ(page.value("qdedup_failed_commits_total"), 14);
  EXPECT_EQ(page.value("qdedup_iterations_total", {{"result", "success"}}), 15);
  EXPECT_EQ(page.value("qdedup_iterations_total", {{"result", "failure"}}), 16);
  EXPECT_EQ(page.value("qdedup_last_iteration_duration_seconds"), 17.5);
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
  for (const auto& [name, family] : PrometheusPage::parse(metrics_text(sample_metrics())).families) {
    EXPECT_THAT(name, testing::StartsWith("qdedup_"));
    EXPECT_EQ(name.ends_with("_total"), family.type == "counter") << name;
    EXPECT_THAT(family.help, testing::EndsWith(".")) << name;
    for (const char* unit : {"_ms", "milli", "minutes", "_kb", "_mb", "percent"}) {
      EXPECT_EQ(name.find(unit), std::string::npos) << name;
    }
  }
}

TEST(Metrics, LeavesOutWhatIsNotThere) {
  const PrometheusPage page = PrometheusPage::parse(metrics_text({}));
  EXPECT_FALSE(page.families.contains("qdedup_next_slot_timestamp_seconds"));
  EXPECT_FALSE(page.families.contains("qdedup_check_index_timestamp_seconds"));
  EXPECT_FALSE(page.families.contains("qdedup_last_iteration_duration_seconds"));
  EXPECT_TRUE(page.families.at("qdedup_log_lag_bytes").samples.empty());
  EXPECT_EQ(page.value("qdedup_lines_total", {{"outcome", "selected"}}), 0);
}

TEST(Metrics, EscapesPaths) {
  for (const std::string path :
       {"/a\\b", "/a\"b", "/a\nb", "/a} 1\nevil 2", "/题.log", "/a\\nb", "/a,b={}", "/tab\tb"}) {
    Metrics metrics;
    metrics.logs = {{.path = path, .lag_bytes = 1}};
    EXPECT_EQ(PrometheusPage::parse(metrics_text(metrics)).value("qdedup_log_lag_bytes", {{"path", path}}),
              1);
  }
}

TEST(Metrics, IsUtf8WhateverThePath) {
  Metrics metrics;
  metrics.logs = {{.path = "/a\xFF\xC0z", .lag_bytes = 1}};
  EXPECT_EQ(PrometheusPage::parse(metrics_text(metrics))
                .value("qdedup_log_lag_bytes", {{"path", "/a\uFFFD\uFFFDz"}}),
            1);
}

}  // namespace
}  // namespace qdedup::daemon
