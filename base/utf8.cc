#include "base/utf8.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/three_byte_run.h"

namespace qdedup {
namespace {

bool is_ascii_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return (word & 0x8080808080808080U) == 0;
}

// Length of the well-formed multi-byte sequence at the start of `bytes`, 0 if there is none (Unicode 15,
// table 3-7).
std::size_t sequence_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto continues = [&](std::size_t i) { return i < bytes.size() && (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  std::array<char32_t, three_byte_run::most> run;  // NOLINT(*-member-init)
  while (!bytes.empty()) {
    if (bytes.size() >= 8 && is_ascii_word(bytes.data())) {
      bytes.remove_prefix(8);
    } else if (static_cast<unsigned char>(bytes[0]) < 0x80) {
      bytes.remove_prefix(1);
    } else if (const std::size_t count = three_byte_run::decode(bytes, run.data()); count > 0) {
      bytes.remove_prefix(3 * count);
    } else if (const std::size_t length = sequence_length(bytes); length > 0) {
      bytes.remove_prefix(length);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace qdedup
