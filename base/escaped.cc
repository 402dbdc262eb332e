#include "base/escaped.h"

#include <algorithm>
#include <cstddef>

#include "base/utf8.h"

namespace qdedup {
namespace {

bool is_control_character(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  const bool is_c1 = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || is_c1;
}

// The embeddings, overrides and isolates of the bidirectional algorithm.
bool turns_direction(std::string_view character) {
  return (character >= "\u202A" && character <= "\u202E") || (character >= "\u2066" && character <= "\u2069");
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char byte : bytes) {
    if (byte == '\n') {
      out += "\\n";
      continue;
    }
    const auto value = static_cast<unsigned char>(byte);
    out += "\\x";
    out += digits[value >> 4U];
    out += digits[value & 0xFU];
  }
}

// Escapes harmful characters, except where `is_kept`, called with the text from that character on, returns
// true.
std::string escaped_unless(std::string_view text, bool (*is_kept)(std::string_view rest)) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = well_formed_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    const bool is_harmful = size == 0 || is_control_character(character) || turns_direction(character);
    if (is_harmful && !is_kept(text)) {
      append_escaped(out, character);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  return escaped_unless(text, [](std::string_view) { return false; });
}

std::string terminal_text(std::string_view text) {
  return escaped_unless(text, [](std::string_view rest) {
    return rest.front() == '\n' || rest.front() == '\t' || rest.starts_with("\r\n");
  });
}

std::string escaped_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += escaped(text.substr(0, end)) + "\n  ";
    text.remove_prefix(end + 1);
  }
  return out + escaped(text);
}

std::string path_text(const std::string& path) { return is_utf8(path) ? path : escaped(path); }

std::vector<std::string> path_texts(std::vector<std::string> paths) {
  for (std::string& path : paths) path = path_text(path);
  return paths;
}

}  // namespace qdedup
