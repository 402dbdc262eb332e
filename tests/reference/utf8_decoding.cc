#include "tests/reference/utf8_decoding.h"

#include <cstddef>
#include <string>

namespace qdedup::reference {
namespace {

std::string encode(unsigned code_point) {
  const auto lead = [&](unsigned mark, unsigned shift) {
    return static_cast<char>(mark | code_point >> shift);
  };
  const auto next = [&](unsigned shift) { return static_cast<char>(0x80U | (code_point >> shift & 0x3FU)); };
  if (code_point < 0x80) return {lead(0, 0)};
  if (code_point < 0x800) return {lead(0xC0, 6), next(0)};
  if (code_point < 0x10000) return {lead(0xE0, 12), next(6), next(0)};
  return {lead(0xF0, 18), next(12), next(6), next(0)};
}

// How many bytes the lead byte announces; 0 if it is none.
std::size_t announced_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >> 5U == 0x6) return 2;
  if (lead >> 4U == 0xE) return 3;
  return lead >> 3U == 0x1E ? 4 : 0;
}

// The bits of the code point that the lead byte of such a sequence holds.
unsigned lead_bits(unsigned lead, std::size_t length) {
  return length == 1 ? lead : lead & (0x7FU >> length);
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const unsigned lead = static_cast<unsigned char>(bytes[0]);
    const std::size_t length = announced_length(lead);
    if (length == 0 || length > bytes.size()) return false;
    unsigned code_point = lead_bits(lead, length);
    for (std::size_t i = 1; i < length; ++i) {
      code_point = code_point << 6U | (static_cast<unsigned char>(bytes[i]) & 0x3FU);
    }
    const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (is_surrogate || code_point > 0x10FFFF || encode(code_point) != bytes.substr(0, length)) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace qdedup::reference
