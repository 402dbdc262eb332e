#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace qdedup::cli {

// Shows on standard error how far the work is: a bar on a terminal, a line every 10 s elsewhere, nothing when
// quiet.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(bool quiet);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;
  ~ProgressDisplay() { clear(); }

  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit);

  // Takes the bar off the terminal, so that something else can be written there.
  void clear();

  // This display as the functions that work take it. It must outlive the answer.
  [[nodiscard]] Progress callback();

 private:
  using Time = std::chrono::steady_clock::time_point;

  enum class Style { none, bar, lines };

  Style style_;
  Time stage_began_;
  Time last_shown_;
  std::string stage_;
  bool bar_stands_ = false;
};

}  // namespace qdedup::cli
