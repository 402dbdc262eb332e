#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"
#include "import/sheet_ml.h"

namespace qdedup::import {

// Characters that XML cannot hold stand as _xHHHH_.
std::string without_escapes(std::string&& text);

bool is_longer_than_a_cell(std::string_view text);

// The text of the runs of something, without phonetic hints.
class TextRuns {
 public:
  Status begin(std::string_view element, std::string_view parent);
  void finish(std::string_view element);
  void add(std::string_view characters) {
    if (is_shown_) run_ += characters;
  }
  std::string take();

 private:
  std::string text_;
  std::string run_;
  int plain_ = 0;  // texts outside runs
  int of_run_ = 0;
  bool has_runs_ = false;
  bool is_shown_ = false;
};

// The texts that cells refer to by number.
class SharedTexts final : public SheetMlContent {
 public:
  SharedTexts();

  [[nodiscard]] const std::string* find(std::string_view index) const;

 private:
  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override;
  Status finish(std::string_view element) override;
  Status add_text(std::string_view element, std::string_view characters) override;
  Status add_bytes(std::size_t bytes);

  std::deque<std::string> texts_;
  TextRuns runs_;
  std::size_t bytes_ = 0;
};

}  // namespace qdedup::import
