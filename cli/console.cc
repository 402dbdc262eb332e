#include "cli/console.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <iostream>

#include <nlohmann/json.hpp>
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

// What of a line of ASCII and Chinese characters, which are two columns wide, fits into `columns`.
std::string_view beginning(std::string_view line, std::size_t columns) {
  std::size_t end = 0;
  while (end < line.size()) {
    const bool is_ascii = static_cast<unsigned char>(line[end]) < 0x80;
    const std::size_t width = is_ascii ? 1 : 2;
    if (width > columns) break;
    columns -= width;
    end += is_ascii ? 1 : 3;
  }
  return line.substr(0, end);
}

constexpr std::uint64_t max_reported_rows = 100;

using Rewriting = std::function<std::string(std::string_view lines)>;

// Passes on its input, rewritten line by line.
class LineBuffer final : public std::streambuf {
 public:
  LineBuffer(std::ostream& out, Rewriting rewrite) : out_(out), rewrite_(std::move(rewrite)) {}

 protected:
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    const bool is_end = traits_type::eq_int_type(c, traits_type::eof());
    return is_end || xsputn(&byte, 1) == 1 ? traits_type::not_eof(c) : traits_type::eof();
  }

  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    waiting_.append(bytes, static_cast<std::size_t>(count));
    const std::size_t end = waiting_.rfind('\n') + 1;  // 0 if there is none
    out_ << rewrite_(std::string_view(waiting_).substr(0, end));
    waiting_.erase(0, end);
    return out_ ? count : 0;
  }

  int sync() override {
    out_ << rewrite_(waiting_) << std::flush;
    waiting_.clear();
    return out_ ? 0 : -1;
  }

 private:
  std::ostream& out_;
  Rewriting rewrite_;
  std::string waiting_;
};

class LineStream final : public std::ostream {
 public:
  LineStream(std::ostream& out, Rewriting rewrite) : std::ostream(nullptr), buffer_(out, std::move(rewrite)) {
    rdbuf(&buffer_);
  }

 private:
  LineBuffer buffer_;
};

// Null without a translation.
std::unique_ptr<std::ostream> chinese_stream(const Translation* chinese, std::ostream& stream) {
  if (chinese == nullptr) return nullptr;
  auto words = std::make_unique<LineStream>(
      stream, [chinese](std::string_view lines) { return chinese->messages(lines); });
  mark_verbatim(*words);
  return words;
}

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

std::unique_ptr<std::ostream> terminal_stream(int descriptor, std::ostream& stream) {
  return ::isatty(descriptor) != 0 ? std::make_unique<LineStream>(stream, terminal_text) : nullptr;
}

void print_json(std::ostream& out, const Json& json) { out << json_text(json) << '\n'; }

Console::Console(bool quiet, bool json, const Translation* chinese)
    : chinese_(chinese),
      terminal_out_(terminal_stream(STDOUT_FILENO, std::cout)),
      terminal_err_(terminal_stream(STDERR_FILENO, std::cerr)),
      chinese_out_(chinese_stream(chinese, plain_out())),
      chinese_err_(chinese_stream(chinese, plain_err())),
      json_(json),
      style_(quiet ? Style::none : (terminal_err_ ? Style::bar : Style::lines)),
      stage_began_(steady_clock::now()),
      last_shown_(stage_began_) {
  if (terminal_err_) *terminal_err_ << std::unitbuf;
}

Console::~Console() {
  clear_bar();
  for (const auto* stream : {&chinese_out_, &chinese_err_, &terminal_out_, &terminal_err_}) {
    if (*stream) (*stream)->flush();
  }
}

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
  std::string name(stage);
  std::string text = amount(done, unit) + percent(done, total) + remaining(done, total, now - stage_began_);
  if (chinese_ != nullptr) {
    name = chinese_->term(name);
    text = chinese_->message(text);
  }
  if (style_ == Style::lines) {
    std::cerr << name << ": " << text << '\n';
    return;
  }
  const std::string line = name + ' ' + bar(done, total) + text;
  std::cerr << "\r\x1b[K" << beginning(line, terminal_width() - 1) << std::flush;
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

std::ostream& Console::plain_out() { return terminal_out_ ? *terminal_out_ : std::cout; }
std::ostream& Console::plain_err() { return terminal_err_ ? *terminal_err_ : std::cerr; }

std::ostream& Console::out() {
  clear_bar();
  return plain_out();
}

std::ostream& Console::words() {
  clear_bar();
  return chinese_out_ ? *chinese_out_ : plain_out();
}

std::ostream& Console::err() {
  clear_bar();
  return chinese_err_ ? *chinese_err_ : plain_err();
}

void Console::report(const Error& error) {
  if (json_) {
    clear_bar();
    return print_json(plain_err(),
                      {{"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}});
  }
  std::size_t begin = 0;
  while (begin <= error.message.size()) {
    const std::size_t end = std::min(error.message.find('\n', begin), error.message.size());
    err() << "qdedup: " << escaped(error.message.substr(begin, end - begin)) << '\n';
    begin = end + 1;
  }
}

void Console::report_row(const std::string& path, const std::string& place, const std::string& reason) {
  if (json_) return report({ErrorCode::data, path + place + ": " + reason});
  err() << Verbatim{escaped(path)} << escaped(place) << ": " << escaped(reason) << '\n';
}

void RejectedRows::report(std::uint64_t line, std::string_view reason, std::string_view detail) {
  if (++count_ > max_reported_rows) return;
  std::string why(reason);
  if (!detail.empty()) why.append(" (").append(detail) += ')';
  console_.report_row(path_, ":" + std::to_string(line), why);
}

void RejectedRows::report_rest() const {
  if (count_ <= max_reported_rows) return;
  console_.report_row(
      path_, "", grouped(count_ - max_reported_rows) + " more rows were rejected; they are only counted");
}

}  // namespace qdedup::cli
