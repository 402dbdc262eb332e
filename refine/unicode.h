#pragma once

#include <string>
#include <string_view>

namespace qdedup::refine {

// UTF-8 to code points; each malformed sequence becomes one U+FFFD.
std::u32string to_utf32(std::string_view text);

// Code points to UTF-8. A surrogate or a number beyond U+10FFFF becomes U+FFFD.
std::string to_utf8(std::u32string_view text);

}  // namespace qdedup::refine
