#pragma once

#include <ostream>

#include "cli/console.h"
#include "cli/progress_display.h"

namespace qdedup::cli {

// Standard output and standard error of this process. Progress is taken off the terminal before anything else
// is written.
class Terminal final : public Console {
 public:
  explicit Terminal(bool quiet) : display_(quiet) {}

  std::ostream& out() override;
  std::ostream& err() override;
  void show_progress(std::string_view stage, std::uint64_t done, std::uint64_t total,
                     std::string_view unit) override;

 private:
  ProgressDisplay display_;
};

}  // namespace qdedup::cli
