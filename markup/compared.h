#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "markup/extract.h"

namespace qdedup::markup {

// A longer text or answer, as imported, is not read.
inline constexpr std::size_t max_imported_bytes = std::size_t{1} << 20U;

inline constexpr std::string_view too_long_rule =
    "text or answer of more than 65,536 bytes, or 1,048,576 with markup";

// What is compared of a question.
struct Compared {
  std::string text;  // empty if the question is too long
  std::optional<std::string> answer;
  bool is_too_long = false;  // text or answer over refine::max_compared_bytes, or over max_imported_bytes
  Extracted found;           // in the text; its own `text` is unspecified
};

// Text and answer as imported; `images` as for extract(). An answer keeps its numbers.
Compared compared(std::string_view text, std::optional<std::string_view> answer, const Options& options,
                  std::span<const std::string> images = {});

// Identifies this program's rules, with these options, for extracting texts and reading signs.
std::string rules_version(const Options& options);

// The options that such a version names, also if it is that of other rules.
Options options_in(std::string_view rules_version);

}  // namespace qdedup::markup
