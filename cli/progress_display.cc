#include "cli/progress_display.h"

#include <algorithm>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/number.h"

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

}  // namespace

ProgressDisplay::ProgressDisplay(bool quiet)
    : style_(quiet ? Style::none : (::isatty(STDERR_FILENO) != 0 ? Style::bar : Style::lines)),
      stage_began_(steady_clock::now()),
      last_shown_(stage_began_) {}

void ProgressDisplay::update(std::string_view stage, std::uint64_t done, std::uint64_t total,
                             std::string_view unit) {
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
  bar_stands_ = true;
}

void ProgressDisplay::clear() {
  if (bar_stands_) std::cerr << "\r\x1b[K" << std::flush;
  bar_stands_ = false;
}

Progress ProgressDisplay::callback() {
  return [this](std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
    update(stage, done, total, unit);
  };
}

}  // namespace qdedup::cli
