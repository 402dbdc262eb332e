#include "base/reviewer_name.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"

namespace qdedup {
namespace {

constexpr std::size_t longest_name = 64;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

bool is_reviewer_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && is_utf8(name) &&
         std::none_of(name.begin(), name.end(), is_control);
}

}  // namespace qdedup
