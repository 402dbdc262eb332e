#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "iteration/followed_log.h"
#include "iteration/log_follower.h"
#include "iteration/log_matching.h"
#include "miner/line_parser.h"

namespace qdedup::iteration {

// What a LogFollower knows and does. A turn looks at all files (following.cc), works on those that have
// something to do (following_work.cc), and lets go of those that are over.
class Following {
 public:
  Following(const config::Settings& settings, miner::LineParser parser, const FollowerOptions& options,
            const logs::Files& files, const MiningStore& store, const Clock& clock)
      : settings_(settings),
        parser_(std::move(parser)),
        options_(options),
        files_(files),
        store_(store),
        clock_(clock),
        matcher_(files, {}, settings.logs.max_line_bytes) {}

  Result<LogFollower::Turn> turn();
  void use(const config::Settings& settings, miner::LineParser parser, const FollowerOptions& options);
  void reload() { loaded_ = false; }

  [[nodiscard]] std::map<std::string, LogLag> lags() const;
  [[nodiscard]] const std::map<std::string, std::string>& problems() const { return problems_; }
  [[nodiscard]] const FollowerCounters& counters() const { return counters_; }
  [[nodiscard]] std::vector<std::string> waiting() const;
  std::vector<LogNews> take_news() { return std::exchange(news_, {}); }

 private:
  using Standing = FollowedLog::Standing;
  using Time = FollowedLog::Time;
  using Places = std::map<LogMatcher::Identity, std::vector<std::string>>;

  Status load();
  void look();
  Places find_places();
  void come_into_sight(const LogMatcher::Identity& identity, const std::vector<std::string>& paths);
  void observe(FollowedLog& log, const Places& places);
  bool open(FollowedLog& log);
  void close(FollowedLog& log);

  Status work();
  std::vector<FollowedLog*> wanting(Standing standing);
  Status read_grown();
  Status begin_fresh();
  Status read_oldest();
  [[nodiscard]] bool is_in_doubt(const FollowedLog& log) const;
  [[nodiscard]] bool repeats_one_in_doubt(const FollowedLog& log) const;

  enum class Newcomers { wait, begin };
  Status begin(FollowedLog& log, Newcomers newcomers);
  Status store_loss(FollowedLog& log, LogMatcher::Match& match);
  void leave_empty(FollowedLog& log);
  void pass_by(FollowedLog& log, const LogMatcher::Match& match);
  Status go_on_with(FollowedLog& log, LogMatcher::Match match);
  Status pass_over(FollowedLog& log);
  Status read(FollowedLog& log, std::size_t bytes);
  Status start_after_cut(FollowedLog& log);
  void finish(FollowedLog& log);
  void fail(FollowedLog& log, const Error& error);
  void note_loss(FollowedLog& log);
  void free_copies_of(std::int64_t record_id);

  [[nodiscard]] std::size_t open_files() const;
  [[nodiscard]] bool has_descriptors() const { return open_files() < options_.most_open_files; }
  void let_go();
  [[nodiscard]] bool is_over(const FollowedLog& log) const;
  void close_idle();
  void tell_problems();
  [[nodiscard]] LogFollower::Turn outlook();

  config::Settings settings_;
  miner::LineParser parser_;
  FollowerOptions options_;
  const logs::Files& files_;
  const MiningStore& store_;
  const Clock& clock_;
  Time now_;
  bool loaded_ = false;
  LogMatcher matcher_;
  std::map<LogMatcher::Identity, FollowedLog> logs_;
  // Paths at which a log stands or stood that is read to its end, wherever it goes: one that comes after it
  // hides nothing.
  std::set<std::string> accounted_;
  std::map<std::string, std::string> found_problems_;  // in this turn, with paths
  std::map<std::string, std::string> problems_;
  std::size_t budget_ = 0;  // bytes that this turn may read yet, beside the oldest log's
  FollowerCounters counters_;
  std::vector<LogNews> news_;
};

}  // namespace qdedup::iteration
