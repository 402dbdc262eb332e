#include "tests/reference/rotated_logs.h"

#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/support/command_line_packer.h"
#include "tests/support/numbered_lines.h"

namespace qdedup::reference {
namespace {

namespace fs = std::filesystem;

void append(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

void RotatedLogs::write_lines(int count) {
  if (line_is_begun()) {
    append(path(current_), std::exchange(rest_of_line_, ""));
    ++lines_;
    --count;
  }
  std::string bytes;
  for (; count > 0; --count) bytes += numbered_line(lines_++);
  append(path(current_), bytes);
}

void RotatedLogs::begin_line() {
  if (line_is_begun()) return;
  const std::string line = numbered_line(lines_);
  append(path(current_), line.substr(0, 4));
  rest_of_line_ = line.substr(4);
}

// The path of a generation, packed or not; empty if there is none.
std::string RotatedLogs::generation(int number) const {
  for (const std::string ending : {"", ".gz", ".zst"}) {
    std::string found = path("app.log." + std::to_string(number)) + ending;
    if (fs::exists(found)) return found;
  }
  return "";
}

int RotatedLogs::generations() const {
  int count = 0;
  while (!generation(count + 1).empty()) ++count;
  return count;
}

void RotatedLogs::shift() {
  for (int number = generations(); number > 0; --number) {
    const std::string from = generation(number);
    const std::string ending = from.substr(path("app.log." + std::to_string(number)).size());
    fs::rename(from, path("app.log." + std::to_string(number + 1)) + ending);
  }
}

void RotatedLogs::rotate() {
  if (!is_reopened() || !fs::exists(path("app.log"))) return;
  shift();
  fs::rename(path("app.log"), path("app.log.1"));
  current_ = "app.log.1";
}

void RotatedLogs::reopen() {
  // What is left of a line goes where the line began.
  if (line_is_begun()) write_lines(1);
  current_ = "app.log";
  append(path(current_), "");
}

void RotatedLogs::copy() {
  shift();
  fs::copy_file(path("app.log"), path("app.log.1"));
}

void RotatedLogs::cut() { fs::resize_file(path("app.log"), 0); }

void RotatedLogs::cut_back(int count) {
  const std::string bytes = content(path("app.log"));
  std::size_t size = bytes.size();
  for (; count > 0 && size > 0; --count) size = bytes.rfind('\n', size - 2) + 1;
  fs::resize_file(path("app.log"), size);
}

void RotatedLogs::pack(const std::string& command, const std::string& ending, int late_lines,
                       const std::function<void()>& before_removal) {
  for (int number = is_reopened() ? 1 : 2; number <= generations(); ++number) {
    const std::string plain = path("app.log." + std::to_string(number));
    if (generation(number) != plain) continue;
    append(plain + ending, packed(command, content(plain)));
    for (; late_lines > 0; --late_lines) append(plain, numbered_line(lines_++));
    before_removal();
    fs::remove(plain);
    return;
  }
}

void RotatedLogs::remove_oldest() { fs::remove(generation(generations())); }

}  // namespace qdedup::reference
