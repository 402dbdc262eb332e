#include "finder/compact_text_store.h"

#include <algorithm>

#include "finder/candidate_filter.h"

namespace qdedup::finder {
namespace {

constexpr std::size_t block_units = std::size_t{1} << 19U;
constexpr char32_t last_of_one_unit = 0xFFFF;

char16_t* write_unit_pair(char32_t c, char16_t* to) {
  const char32_t rest = c - 0x10000;
  *to++ = static_cast<char16_t>(0xD800 | rest >> 10U);
  *to++ = static_cast<char16_t>(0xDC00 | (rest & 0x3FFU));
  return to;
}

bool begins_pair(char16_t unit) { return (unit & 0xFC00U) == 0xD800U; }

}  // namespace

char16_t* CompactTextStore::make_room(std::size_t units) {
  if (units > free_units_) {
    free_units_ = std::max(units, block_units);
    blocks_.push_back(std::make_unique_for_overwrite<char16_t[]>(free_units_));
    free_ = blocks_.back().get();
  }
  return free_;
}

std::uint32_t CompactTextStore::add(std::u32string_view text) {
  char16_t* const begin = make_room(2 * text.size());
  char16_t* end = begin;
  for (const char32_t c : text) {
    if (c <= last_of_one_unit) {
      *end++ = static_cast<char16_t>(c);
    } else {
      end = write_unit_pair(c, end);
    }
  }
  const auto units = static_cast<std::size_t>(end - begin);
  free_ = end;
  free_units_ -= units;
  units_ += units;
  texts_.push_back({begin, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(units),
                    narrow_sketch(text)});
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

std::u32string_view CompactTextStore::read(std::uint32_t number, std::u32string& place) const {
  const Text& text = texts_[number];
  if (place.size() < text.length) place.resize(text.length);
  if (text.units == text.length) {
    std::copy_n(text.begin, text.length, place.data());
    return {place.data(), text.length};
  }
  const char16_t* from = text.begin;
  for (std::size_t i = 0; i < text.length; ++i) {
    const char16_t unit = *from++;
    place[i] = begins_pair(unit) ? 0x10000U + ((unit & 0x3FFU) << 10U | (*from++ & 0x3FFU)) : unit;
  }
  return {place.data(), text.length};
}

}  // namespace qdedup::finder
