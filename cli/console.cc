#include "cli/console.h"

#include <algorithm>

namespace qdedup::cli {

Progress Console::progress() {
  return [this](std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
    show_progress(stage, done, total, unit);
  };
}

void Console::report(const Error& error) {
  std::size_t begin = 0;
  while (begin <= error.message.size()) {
    const std::size_t end = std::min(error.message.find('\n', begin), error.message.size());
    err() << "qdedup: " << error.message.substr(begin, end - begin) << '\n';
    begin = end + 1;
  }
}

}  // namespace qdedup::cli
