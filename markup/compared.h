#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "markup/extract.h"

namespace qdedup::markup {

// What is compared of a question.
struct Compared {
  std::string text;  // empty if it is too long
  std::optional<std::string> answer;
  bool is_too_long = false;  // over refine::max_compared_bytes
  Extracted found;           // in the text; its own `text` is unspecified
};

// Text and answer as imported; `images` as for extract(). An answer keeps its numbers.
Compared compared(std::string_view text, std::optional<std::string_view> answer, const Options& options,
                  std::span<const std::string> images = {});

// Identifies this program's rules, with these options, for extracting texts and reading signs.
std::string rules_version(const Options& options);

}  // namespace qdedup::markup
