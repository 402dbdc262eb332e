#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/extract.h"
#include "refine/parts.h"

namespace qdedup::markup {

inline Extracted extracted(std::string_view text) { return extract(text, {.markup = Reading::automatic}); }

inline std::string text_of(std::string_view text) { return extracted(text).text; }

// The signs of a text without markup, with spaces between, U+E000 as "_".
inline std::string signs_in(std::string_view text) {
  std::string all;
  for (const std::string& sign : refine::sign_list(refine::parts_of(text))) {
    if (!all.empty()) all += ' ';
    all += sign == "\uE000" ? "_" : sign;
  }
  return all;
}

// The same of a text with markup.
inline std::string signs_of_markup(std::string_view text) { return signs_in(text_of(text)); }

}  // namespace qdedup::markup
