#include "refine/character_counts.h"

#include <cstddef>
#include <string>

#include "base/containers.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t code_point_count = 0x110000;

}  // namespace

void CharacterCounts::add(std::string_view text) {
  ++questions_;
  std::u32string code_points = to_utf32(text);
  sort_unique(code_points);
  for (const char32_t code_point : code_points) ++counts_[code_point];
}

void CharacterCounts::merge(const CharacterCounts& other) {
  questions_ += other.questions_;
  for (const auto& [code_point, counted] : other.counts_) counts_[code_point] += counted;
}

void CharacterCounts::set_count(char32_t code_point, std::uint64_t questions) {
  if (questions == 0) {
    counts_.erase(code_point);
  } else {
    counts_[code_point] = questions;
  }
}

std::uint64_t CharacterCounts::count(char32_t code_point) const {
  const auto found = counts_.find(code_point);
  return found == counts_.end() ? 0 : found->second;
}

CharacterChanges::CharacterChanges() : characters_(code_point_count) {}

void CharacterChanges::count(std::u32string_view text, std::int32_t change) {
  if (++text_number_ == 0) {  // all numbers were used: begin anew
    for (std::size_t i = 0; i < code_point_count; ++i) characters_[i].seen = 0;
    text_number_ = 1;
  }
  for (const char32_t code_point : text) {
    Character& character = characters_[code_point];
    const bool is_new = std::exchange(character.seen, text_number_) != text_number_;
    if (is_new & (character.change == 0)) touched_.push_back(code_point);
    character.change += is_new ? change : 0;
  }
}

void CharacterChanges::enter(std::string_view text) { enter(DecodedText(text).code_points()); }

void CharacterChanges::leave(std::string_view text) { count(DecodedText(text).code_points(), -1); }

void CharacterChanges::add(char32_t code_point, std::int64_t change) {
  Character& character = characters_[code_point];
  if (character.change == 0) touched_.push_back(code_point);
  character.change += static_cast<std::int32_t>(change);
}

std::vector<std::pair<char32_t, std::int64_t>> CharacterChanges::take() {
  sort_unique(touched_);
  std::vector<std::pair<char32_t, std::int64_t>> changes;
  for (const char32_t code_point : touched_) {
    const std::int32_t change = std::exchange(characters_[code_point].change, 0);
    if (change != 0) changes.emplace_back(code_point, change);
  }
  touched_.clear();
  return changes;
}

}  // namespace qdedup::refine
