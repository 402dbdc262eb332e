#pragma once

#include <string_view>

namespace qdedup::reference {

// The slow twin of qdedup::is_utf8: decodes each code point and asks whether encoding it gives the same
// bytes.
bool is_utf8(std::string_view bytes);

}  // namespace qdedup::reference
