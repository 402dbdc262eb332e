#include "iteration/mining.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "iteration/log_follower.h"

namespace qdedup::iteration {
namespace {

// The first turn reads everything; more are needed only for files that were replaced meanwhile.
constexpr int max_turns = 3;

std::uint64_t size_of(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    if (const auto signature = logs::signature_of(path)) total += signature->size;
  }
  return total;
}

bool has_no_complete_line(const FollowedLog& log) {
  if (log.compressed || log.problem || log.seen.size == 0) return false;
  const log_state::Reading* reading = log.reading();
  return log.is<log_state::Empty>() || (reading && reading->mining.record().offset == 0);
}

bool is_mined_in_vain(const FollowedLog& log) {
  const log_state::Reading* reading = log.reading();
  return reading != nullptr && log.counts.lines == 0 && reading->mining.record().totals.is_wrong_file();
}

MinedLog mined_log(const FollowedLog& log) {
  MinedLog mined;
  mined.counts = log.counts;
  mined.problem = log.problem;
  if (const auto* done = std::get_if<log_state::Done>(&log.state)) mined.copy = done->is_shorter;
  if (log.is<log_state::Copy>()) mined.copy = true;
  mined.left_out = log.is<log_state::LeftOut>();
  mined.mined_in_vain = is_mined_in_vain(log);
  mined.no_complete_line = has_no_complete_line(log);
  if (const auto* incomplete = std::get_if<log_state::Incomplete>(&log.state)) {
    (incomplete->is_mined ? mined.cut_off : mined.waits) = true;
  }
  return mined;
}

// By path, with the follower's news and problems.
std::map<std::string, MinedLog> mined_logs(LogFollower& follower, bool more) {
  std::map<std::string, MinedLog> mined;
  for (const auto& [identity, log] : follower.logs()) {
    MinedLog& result = mined.emplace(log.path, mined_log(log)).first->second;
    if (!more || log.is_finished() || log.problem) continue;
    result.problem = Error{ErrorCode::busy, log.path + ": changed while it was being read"};
  }
  for (const LogNews& news : follower.take_news()) {
    if (news.kind == LogNews::Kind::possible_loss) mined[news.path].possible_loss = true;
    if (news.kind == LogNews::Kind::possible_twice) mined[news.path].possible_twice = true;
  }
  for (const auto& [path, problem] : follower.problems()) mined[path].problem = problem;
  return mined;
}

}  // namespace

Result<MiningReport> mine_logs(db::StoreWriter& writer, const std::vector<std::string>& paths,
                               const logs::Files& files, const config::Settings& settings, const Clock& clock,
                               const Progress& progress) {
  FollowerOptions options = FollowerOptions::one_shot();
  options.progress = [&progress, total = size_of(paths)](std::uint64_t bytes) {
    progress("mine", bytes, total, "bytes");
  };
  QDEDUP_ASSIGN_OR_RETURN(const std::unique_ptr<LogFollower> follower,
                          LogFollower::create(settings, options, files, writer, clock));
  bool more = true;
  for (int turns = 0; more && turns < max_turns; ++turns) {
    QDEDUP_ASSIGN_OR_RETURN(const LogFollower::Turn turn, follower->turn(paths));
    more = turn.more;
  }
  MiningReport report;
  report.totals = follower->counters().totals;
  std::map<std::string, MinedLog> mined = mined_logs(*follower, more);
  // If several names or links lead to a file, the first one gets everything.
  for (const std::string& path : paths) {
    report.logs.push_back(std::exchange(mined[path], {}));
    report.logs.back().path = path;
  }
  return report;
}

}  // namespace qdedup::iteration
