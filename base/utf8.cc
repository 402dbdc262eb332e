#include "base/utf8.h"

#include <array>
#include <cstring>

namespace qdedup {
namespace {

// A number of leading bytes that are certainly well-formed. A text shorter than a block is copied.
std::size_t well_formed_start(std::string_view bytes) {
  if (bytes.size() >= Utf8Block::max_bytes) return Utf8Block(bytes.data(), Utf8Block::max_bytes).size();
  std::array<char, Utf8Block::max_bytes> block{};
  std::memcpy(block.data(), bytes.data(), bytes.size());
  return Utf8Block(block.data(), bytes.size()).size();
}

}  // namespace

std::size_t well_formed_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto continues = [&](std::size_t i) { return i < bytes.size() && continues_character(bytes[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
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

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t length = well_formed_start(bytes);
    if (length == 0) length = well_formed_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string_view whole_characters(std::string_view text, std::size_t most) {
  constexpr std::size_t longest_character = 4;
  if (text.size() <= most) return text;
  std::size_t size = most;
  while (size > 0 && most - size < longest_character && continues_character(text[size])) --size;
  return text.substr(0, size);
}

std::string shortened(std::string_view text, std::size_t most) {
  return text.size() <= most ? std::string(text) : std::string(whole_characters(text, most)) + "…";
}

}  // namespace qdedup
