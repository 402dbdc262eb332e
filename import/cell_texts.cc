#include "import/cell_texts.h"

#include <array>
#include <cstdint>
#include <utility>

#include "base/parse_number.h"
#include "base/utf8.h"
#include "import/workbook_limits.h"
#include "refine/unicode.h"

namespace qdedup::import {
namespace {

// The character of "_x000D_" at the beginning of a text, as UTF-8; empty if there is none. Some programs
// leave what could stand there as it is (_x0061_) as it is.
std::string escaped_character(std::string_view text) {
  constexpr std::size_t length = 7;
  if (text.size() < length || !text.starts_with("_x") || text[length - 1] != '_') return {};
  const unsigned code = parse_number<unsigned>(text.substr(2, 4), 16).value_or(0);
  const bool is_needed = (code > 0 && code < ' ') || code == '_' || code == 0xFFFE || code == 0xFFFF;
  return is_needed ? refine::to_utf8(std::u32string(1, static_cast<char32_t>(code))) : std::string();
}

constexpr std::array string_table = {
    Nesting{"si", "sst", Nesting::closed}, Nesting{"t", "si", Nesting::closed},
    Nesting{"r", "si", Nesting::closed},   Nesting{"t", "r", Nesting::closed},
    Nesting{"rPh", "si", Nesting::closed}, Nesting{"t", "rPh", Nesting::closed}};

}  // namespace

std::string without_escapes(std::string&& text) {
  if (text.find("_x") == std::string::npos) return std::move(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string character = escaped_character(std::string_view(text).substr(at));
    if (character.empty()) {
      plain += text[at++];
    } else {
      plain += character;
      at += 7;
    }
  }
  return plain;
}

bool is_longer_than_a_cell(std::string_view text) {
  if (text.size() <= workbook_limits::cell_units) return false;
  std::size_t units = 0;
  for (const char c : text) {
    units += continues_character(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  }
  return units > workbook_limits::cell_units;
}

Status TextRuns::begin(std::string_view element, std::string_view parent) {
  if (element == "r") {
    has_runs_ = true;
    of_run_ = 0;
  }
  if (element != "t") return {};
  is_shown_ = parent != "rPh";
  if (is_shown_) ++(parent == "r" ? of_run_ : plain_);
  if (plain_ > 1 || of_run_ > 1 || (plain_ > 0 && has_runs_))
    return bad_workbook("has two texts in one place");
  return {};
}

void TextRuns::finish(std::string_view element) {
  if (element == "t") text_ += without_escapes(std::exchange(run_, {}));
}

std::string TextRuns::take() {
  std::string text = std::move(text_);
  *this = {};
  return text;
}

SharedTexts::SharedTexts() : SheetMlContent("sst", string_table) {}

const std::string* SharedTexts::find(std::string_view index) const {
  const auto number = parse_number<std::uint32_t>(index);
  return number && *number < texts_.size() ? &texts_[*number] : nullptr;
}

Status SharedTexts::begin(std::string_view element, std::string_view parent,
                          const XmlAttributes& /*attributes*/) {
  return runs_.begin(element, parent);
}

Status SharedTexts::finish(std::string_view element) {
  runs_.finish(element);
  if (element != "si") return {};
  texts_.push_back(runs_.take());
  texts_.back().shrink_to_fit();
  return add_bytes(sizeof(std::string) + 2 * sizeof(void*));
}

Status SharedTexts::add_text(std::string_view element, std::string_view characters) {
  if (element != "t") return {};
  runs_.add(characters);
  return add_bytes(characters.size());
}

Status SharedTexts::add_bytes(std::size_t bytes) {
  bytes_ += bytes;
  return bytes_ > workbook_limits::shared_bytes ? bad_workbook("has more than 1 GiB of texts") : Status();
}

}  // namespace qdedup::import
