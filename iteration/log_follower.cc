#include "iteration/log_follower.h"

#include <utility>

#include "iteration/following.h"

namespace qdedup::iteration {

LogFollower::LogFollower(std::unique_ptr<Following> following) : following_(std::move(following)) {}
LogFollower::LogFollower(LogFollower&&) noexcept = default;
LogFollower::~LogFollower() = default;

Result<LogFollower> LogFollower::create(const config::Settings& settings, const FollowerOptions& options,
                                        const logs::Files& files, const MiningStore& store,
                                        const Clock& clock) {
  Result<miner::LineParser> parser = miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return std::move(parser).error();
  return LogFollower(std::make_unique<Following>(settings, *std::move(parser), options, files, store, clock));
}

Status LogFollower::use(const config::Settings& settings) {
  Result<miner::LineParser> parser = miner::LineParser::create(settings.logs.format, settings.logs.pointer);
  if (!parser.ok()) return std::move(parser).error();
  following_->use(settings, *std::move(parser));
  return {};
}

Result<LogFollower::Turn> LogFollower::turn() { return following_->turn(); }
void LogFollower::reload() { following_->reload(); }
std::map<std::string, LogLag> LogFollower::lags() const { return following_->lags(); }
const std::map<std::string, std::string>& LogFollower::problems() const { return following_->problems(); }
const FollowerCounters& LogFollower::counters() const { return following_->counters(); }
std::vector<std::string> LogFollower::waiting() const { return following_->waiting(); }
std::vector<LogNews> LogFollower::take_news() { return following_->take_news(); }

}  // namespace qdedup::iteration
