#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace qdedup::markup {

// A superscript or a subscript that is a character of its own.
struct ScriptCharacter {
  char base;
  bool is_raised;
  std::size_t length;
};

// The one that `text` begins with, if any.
std::optional<ScriptCharacter> script_character(std::string_view text);

}  // namespace qdedup::markup
