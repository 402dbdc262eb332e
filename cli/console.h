#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "base/error.h"
#include "base/progress.h"

namespace qdedup::cli {

// Where a command's words go: the terminal of this process, or the client that handed the command over.
class Console {
 public:
  Console() = default;
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  virtual ~Console() = default;

  virtual std::ostream& out() = 0;  // data
  virtual std::ostream& err() = 0;  // messages
  virtual void show_progress(std::string_view stage, std::uint64_t done, std::uint64_t total,
                             std::string_view unit) = 0;

  // show_progress as the functions that work take it. The console must outlive the answer.
  [[nodiscard]] Progress progress();

  // Each line of the error's message, as the program's.
  void report(const Error& error);
};

}  // namespace qdedup::cli
