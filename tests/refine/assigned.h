#pragma once

#include <unicode/uchar.h>

namespace qdedup {

// Is this a character of which Unicode says something? Private ones beyond the first hundred are left out.
inline bool is_assigned(char32_t code_point) {
  const int category = u_charType(static_cast<UChar32>(code_point));
  if (category == U_PRIVATE_USE_CHAR) return code_point < 0xE064;
  return category != U_UNASSIGNED && category != U_SURROGATE;
}

}  // namespace qdedup
