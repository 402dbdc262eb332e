#include "refine/character_changes.h"

#include <cstddef>
#include <utility>

#include "base/sort_unique.h"
#include "refine/decoded_text.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t code_points = 0x110000;

}  // namespace

CharacterChanges::CharacterChanges() : characters_(code_points) {}

void CharacterChanges::count(std::u32string_view text, std::int32_t change) {
  if (++text_number_ == 0) {  // all numbers were used: begin anew
    for (Character& character : characters_) character.seen = 0;
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
