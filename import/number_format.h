#pragma once

#include <cstdint>
#include <string_view>

namespace qdedup::import {

// Which values a number format of a spreadsheet shows as they are; the others it may hide or replace (;;;
// shows nothing, ;;;"no" shows no).
struct FormatEffect {
  bool shows_texts = true;
  bool shows_numbers = true;  // positive ones, perhaps with separators
};

// That of a format by its code (ECMA-376 part 1, 18.8.31), such as `#,##0;[Red]-0;0;@`. Colours do not count.
FormatEffect effect_of_code(std::string_view code);

// That of a format that has a number but no code.
FormatEffect effect_of_built_in(std::uint32_t number);

}  // namespace qdedup::import
