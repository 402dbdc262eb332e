#include "refine/character_changes.h"

#include <algorithm>
#include <cstddef>

#include "base/sort_unique.h"
#include "refine/utf8_reader.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t code_points = 0x110000;

}  // namespace

CharacterChanges::CharacterChanges() : changes_(code_points), seen_(code_points) {}

void CharacterChanges::count(std::string_view text, std::int64_t change) {
  if (++text_number_ == 0) {  // all numbers were used: begin anew
    std::ranges::fill(seen_, 0U);
    text_number_ = 1;
  }
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code_point = next_code_point(text, at);
    if (seen_[code_point] == text_number_) continue;
    seen_[code_point] = text_number_;
    if (changes_[code_point] == 0) touched_.push_back(code_point);
    changes_[code_point] += change;
  }
}

std::vector<std::pair<char32_t, std::int64_t>> CharacterChanges::take() {
  sort_unique(touched_);
  std::vector<std::pair<char32_t, std::int64_t>> changes;
  for (const char32_t code_point : touched_) {
    if (changes_[code_point] != 0) changes.emplace_back(code_point, changes_[code_point]);
    changes_[code_point] = 0;
  }
  touched_.clear();
  return changes;
}

}  // namespace qdedup::refine
