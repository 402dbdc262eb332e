#pragma once

#include <atomic>
#include <chrono>

#include "db/activity.h"

namespace qdedup::daemon {

// When a thread last got on with its work. For any thread.
class Heartbeat {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Beat {
    Time time;
    db::Activity activity = db::Activity::step;  // that began then
  };

  // A beat that is read while it is written counts as the longer activity.
  void beat(db::Activity activity = db::Activity::step) {
    time_ = std::chrono::steady_clock::now().time_since_epoch().count();
    activity_ = activity;
  }

  [[nodiscard]] Beat last() const {
    const db::Activity activity = activity_;
    return {Time(Time::duration(time_.load())), activity};
  }

 private:
  std::atomic<Time::rep> time_ = std::chrono::steady_clock::now().time_since_epoch().count();
  std::atomic<db::Activity> activity_ = db::Activity::step;
};

}  // namespace qdedup::daemon
