#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "refine/duplicate_settings.h"

namespace qdedup::reference {

// The slow twin of the comparison (doc/rules.md, 3.3): whether two Han parts, or whole texts, are alike
// enough, if their signs are equal or do not count.
bool are_alike(std::u32string_view a, std::u32string_view b, const refine::DuplicateSettings& settings);

// How alike two texts are by a set measure, in hundredths of a percent, rounded half up.
std::uint64_t hundredths_alike(std::u32string_view a, std::u32string_view b,
                               const refine::DuplicateSettings& settings);

// A text as the rules see it, which takes a millisecond to find out.
struct SeenText {
  std::vector<std::u32string> signs;
  std::u32string han;
  std::u32string whole;  // the normal form
};
SeenText see(const std::string& text);

// The duplicate test on two texts, in the words of the rules.
bool are_duplicates(const SeenText& a, const SeenText& b, const refine::DuplicateSettings& settings);
bool are_duplicates(const std::string& a, const std::string& b, const refine::DuplicateSettings& settings);

}  // namespace qdedup::reference
