#include "cli/terminal.h"

#include <iostream>

namespace qdedup::cli {

std::ostream& Terminal::out() {
  display_.clear();
  return std::cout;
}

std::ostream& Terminal::err() {
  display_.clear();
  return std::cerr;
}

void Terminal::show_progress(std::string_view stage, std::uint64_t done, std::uint64_t total,
                             std::string_view unit) {
  display_.update(stage, done, total, unit);
}

}  // namespace qdedup::cli
