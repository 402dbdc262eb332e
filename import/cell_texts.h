#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "base/parse_number.h"
#include "base/result.h"
#include "import/sheet_ml.h"
#include "import/workbook_limits.h"

namespace qdedup::import {

// Characters that XML cannot hold stand as _xHHHH_.
std::string without_escapes(std::string&& text);

bool is_longer_than_a_cell(std::string_view text);

// The text of the runs of something, without phonetic hints.
class TextRuns {
 public:
  Status begin(std::string_view element, std::string_view parent) {
    if (element == "r") {
      has_runs_ = true;
      of_run_ = 0;
    }
    if (element != "t") return {};
    is_shown_ = parent != "rPh";
    if (is_shown_) ++(parent == "r" ? of_run_ : plain_);
    if (plain_ > 1 || of_run_ > 1 || (plain_ > 0 && has_runs_))
      return bad_sheet("has two texts in one place");
    return {};
  }
  void finish(std::string_view element) {
    if (element == "t") text_ += without_escapes(std::exchange(run_, {}));
  }
  void add(std::string_view characters) {
    if (is_shown_) run_ += characters;
  }
  std::string take() {
    std::string text = std::move(text_);
    *this = {};
    return text;
  }

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
  SharedTexts() : SheetMlContent("sst", grammar) {}

  [[nodiscard]] const std::string* find(std::string_view index) const {
    const auto number = parse_number<std::uint32_t>(index);
    return number && *number < texts_.size() ? &texts_[*number] : nullptr;
  }

 private:
  static constexpr std::array grammar = {
      Nesting{"si", "sst", Nesting::closed}, Nesting{"t", "si", Nesting::closed},
      Nesting{"r", "si", Nesting::closed},   Nesting{"t", "r", Nesting::closed},
      Nesting{"rPh", "si", Nesting::closed}, Nesting{"t", "rPh", Nesting::closed}};

  Status begin(std::string_view element, std::string_view parent,
               const XmlAttributes& /*attributes*/) override {
    return runs_.begin(element, parent);
  }
  Status finish(std::string_view element) override {
    runs_.finish(element);
    if (element != "si") return {};
    texts_.push_back(runs_.take());
    texts_.back().shrink_to_fit();
    return add_bytes(sizeof(std::string) + 2 * sizeof(void*));
  }
  Status add_text(std::string_view element, std::string_view characters) override {
    if (element != "t") return {};
    runs_.add(characters);
    return add_bytes(characters.size());
  }

  Status add_bytes(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ > workbook_limits::shared_bytes ? bad_sheet("has more than 1 GiB of texts") : Status();
  }

  std::deque<std::string> texts_;
  TextRuns runs_;
  std::size_t bytes_ = 0;
};

}  // namespace qdedup::import
