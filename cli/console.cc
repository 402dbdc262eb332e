#include "cli/console.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escaped.h"

namespace qdedup::cli {
namespace {

using std::chrono::steady_clock;

std::string amount(std::uint64_t number, std::string_view unit) {
  return unit == "bytes" ? byte_size(number) : grouped(number) + " " + std::string(unit);
}

std::string percent(std::uint64_t done, std::uint64_t total) {
  if (total == 0) return "";
  return " (" + std::to_string(std::min<std::uint64_t>(100, done * 100 / total)) + " %)";
}

std::string remaining(std::uint64_t done, std::uint64_t total, std::chrono::duration<double> elapsed) {
  if (done == 0 || total <= done || elapsed.count() < 1) return "";
  const double left = elapsed.count() * static_cast<double>(total - done) / static_cast<double>(done);
  const auto seconds = static_cast<std::uint64_t>(left) + 1;
  return seconds < 100 ? ", " + std::to_string(seconds) + " s left"
                       : ", " + std::to_string(seconds / 60 + 1) + " min left";
}

std::string bar(std::uint64_t done, std::uint64_t total) {
  constexpr std::size_t width = 30;
  if (total == 0) return "";
  const auto filled = static_cast<std::size_t>(std::min(done, total) * width / total);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;  // NOLINT(*-vararg)
  return known ? size.ws_col : 80;
}

constexpr std::uint64_t max_reported_rows = 100;

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t from_end = 3; from_end < digits.size(); from_end += 4) {
    digits.insert(digits.size() - from_end, 1, ',');
  }
  return digits;
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string significant(double score) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", score);
  return text;
}

std::string byte_size(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units = {"B", "kB", "MB", "GB", "TB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1000 && unit + 1 < units.size(); ++unit) amount /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount,
                units[unit]);  // NOLINT(*-vararg)
  return text.data();
}

void print_json(std::ostream& out, const Json& json) { out << json_text(json) << '\n'; }

Console::Console(bool quiet)
    : style_(quiet ? Style::none : (::isatty(STDERR_FILENO) != 0 ? Style::bar : Style::lines)),
      stage_began_(steady_clock::now()),
      last_shown_(stage_began_) {}

void Console::show(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (style_ == Style::none) return;
  const Time now = steady_clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_began_ = now;
  }
  const auto pause =
      style_ == Style::bar ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000);
  if (now - last_shown_ < pause) return;
  last_shown_ = now;
  const std::string text =
      amount(done, unit) + percent(done, total) + remaining(done, total, now - stage_began_);
  if (style_ == Style::lines) {
    std::cerr << stage << ": " << text << '\n';
    return;
  }
  const std::string line = stage_ + ' ' + bar(done, total) + text;
  std::cerr << "\r\x1b[K" << line.substr(0, terminal_width() - 1) << std::flush;
  has_bar_ = true;
}

void Console::clear_bar() {
  if (has_bar_) std::cerr << "\r\x1b[K" << std::flush;
  has_bar_ = false;
}

Progress Console::progress() {
  return [this](std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
    show(stage, done, total, unit);
  };
}

std::ostream& Console::out() {
  clear_bar();
  return std::cout;
}

std::ostream& Console::err() {
  clear_bar();
  return std::cerr;
}

void Console::report(const Error& error) {
  std::size_t begin = 0;
  while (begin <= error.message.size()) {
    const std::size_t end = std::min(error.message.find('\n', begin), error.message.size());
    err() << "qdedup: " << escaped(error.message.substr(begin, end - begin)) << '\n';
    begin = end + 1;
  }
}

void RejectedRows::report(std::uint64_t line, std::string_view reason, std::string_view detail) {
  if (++count_ > max_reported_rows) return;
  std::ostream& err = console_.err();
  err << escaped(path_) << ':' << line << ": " << reason;
  if (!detail.empty()) err << " (" << escaped(detail) << ')';
  err << '\n';
}

void RejectedRows::report_rest() const {
  if (count_ <= max_reported_rows) return;
  console_.err() << escaped(path_) << ": " << grouped(count_ - max_reported_rows)
                 << " more rows were rejected; they are only counted\n";
}

}  // namespace qdedup::cli
