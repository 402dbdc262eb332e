#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/progress.h"
#include "cli/translation.h"

namespace qdedup::cli {

// "60,000".
std::string grouped(std::uint64_t number);

// "1 line", "60,000 lines".
std::string counted(std::uint64_t number, const std::string& noun);

// A score with at most four significant digits.
std::string significant(double score);

// "3.4 MB", in powers of ten.
std::string byte_size(std::uint64_t bytes);

// Prints `json` in one line.
void print_json(std::ostream& out, const Json& json);

// A stream that passes what is written on to `stream` as terminal_text(), line by line; `stream` must outlive
// it. Null if `descriptor` is not a terminal.
std::unique_ptr<std::ostream> terminal_stream(int descriptor, std::ostream& stream);

// Standard output and standard error of this process. Messages, progress and what is written to words() are
// in English, or in Chinese where there is a translation. Progress goes to standard error: on a terminal as a
// bar, which is erased before anything else is written; elsewhere as a line every 10 s; not at all when
// quiet. Output to a terminal is stripped of control characters (terminal_text), wherever it came from.
class Console {
 public:
  // The translation, if any, must outlive the console.
  explicit Console(bool quiet, bool json = false, const Translation* chinese = nullptr);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();

  std::ostream& out();    // data, on standard output: the same in every language
  std::ostream& words();  // what people read there, line by line
  std::ostream& err();    // messages, line by line
  [[nodiscard]] const Translation* chinese() const { return chinese_; }

  // Shows progress; the console must outlive the result.
  [[nodiscard]] Progress progress();

  // Prints each line of the error's message, prefixed with the program's name; with `json` instead
  // {"error":{"code":66,"message":"…"}} on one line.
  void report(const Error& error);

  // Prints what is wrong at a place in a file (":17", ": row 5 of sheet deletions" or none) as "path:17:
  // reason"; with `json` as report() does.
  void report_row(const std::string& path, const std::string& place, const std::string& reason);

 private:
  using Time = std::chrono::steady_clock::time_point;

  enum class Style { none, bar, lines };

  void show(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit);
  void clear_bar();

  // The streams themselves, without translation.
  std::ostream& plain_out();
  std::ostream& plain_err();

  const Translation* chinese_;
  std::unique_ptr<std::ostream> terminal_out_;  // null if it is not a terminal
  std::unique_ptr<std::ostream> terminal_err_;
  std::unique_ptr<std::ostream> chinese_out_;  // null without translation
  std::unique_ptr<std::ostream> chinese_err_;
  bool json_;
  Style style_;
  Time stage_began_;
  Time last_shown_;
  std::string stage_;
  bool has_bar_ = false;
};

// Reports which rows of a file of questions cannot be used, and why. The first hundred are reported one by
// one, the rest only counted. The console must outlive it.
class RejectedRows {
 public:
  RejectedRows(Console& console, std::string path) : console_(console), path_(std::move(path)) {}

  void report(std::uint64_t line, std::string_view reason, std::string_view detail);
  void report_rest() const;  // at the end of the file

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  Console& console_;
  std::string path_;
  std::uint64_t count_ = 0;
};

}  // namespace qdedup::cli
