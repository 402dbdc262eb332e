#pragma once

#include <string_view>

namespace qdedup {

// Is `bytes` well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF)? Linear.
[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace qdedup
