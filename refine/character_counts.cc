#include "refine/character_counts.h"

#include <algorithm>
#include <string>

#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

std::u32string distinct_code_points(std::string_view text) {
  std::u32string code_points = to_utf32(text);
  std::ranges::sort(code_points);
  code_points.erase(std::unique(code_points.begin(), code_points.end()), code_points.end());
  return code_points;
}

}  // namespace

void CharacterCounts::add(std::string_view text) {
  ++questions_;
  for (const char32_t code_point : distinct_code_points(text)) ++counts_[code_point];
}

void CharacterCounts::remove(std::string_view text) {
  if (questions_ > 0) --questions_;
  for (const char32_t code_point : distinct_code_points(text)) {
    const std::uint64_t counted = count(code_point);
    if (counted > 0) set_count(code_point, counted - 1);
  }
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

}  // namespace qdedup::refine
