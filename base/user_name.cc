#include "base/user_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <pwd.h>
#include <unistd.h>

#include "base/utf8.h"

namespace qdedup {
namespace {

constexpr std::size_t max_reviewer_name = 64;
constexpr std::size_t max_note = 4096;

struct Range {
  char32_t first;
  char32_t last;
};

// Control and format characters, line and paragraph separators (Cc, Cf, Zl and Zp of Unicode 16).
constexpr std::array<Range, 22> unseen = {
    {{0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x0600, 0x0605},   {0x061C, 0x061C},
     {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x0890, 0x0891},   {0x08E2, 0x08E2},   {0x180E, 0x180E},
     {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x2064},   {0x2066, 0x206F},   {0xFEFF, 0xFEFF},
     {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
     {0x1D173, 0x1D17A}, {0xE0001, 0xE007F}}};

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

bool is_unseen(char32_t c) {
  return std::ranges::any_of(unseen, [c](const Range& range) { return c >= range.first && c <= range.last; });
}

// Whether `test` holds for any character of `text`, which is UTF-8.
template <class Test>
bool has_character(std::string_view text, Test test) {
  char32_t character = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned lead_bits = byte < 0x80 ? 0x7FU : byte < 0xE0 ? 0x1FU : byte < 0xF0 ? 0x0FU : 0x07U;
    character = continues_character(text[i]) ? character << 6U | (byte & 0x3FU) : byte & lead_bits;
    const bool ends = i + 1 == text.size() || !continues_character(text[i + 1]);
    if (ends && test(character)) return true;
  }
  return false;
}

}  // namespace

std::string unix_user(uid_t user) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const int failure = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return failure == 0 && found != nullptr ? found->pw_name : std::to_string(user);
}

bool has_blank_ends(std::string_view name) {
  constexpr std::array<std::string_view, 17> blanks = {
      " ",      "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
      "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000"};
  return std::ranges::any_of(
      blanks, [&](std::string_view blank) { return name.starts_with(blank) || name.ends_with(blank); });
}

bool is_reviewer_name(std::string_view name) {
  return !name.empty() && name.size() <= max_reviewer_name && is_utf8(name) &&
         !has_character(name, is_unseen);
}

std::string signed_in_user(std::string_view reviewer) { return "reviewer:" + std::string(reviewer); }

bool is_note(std::string_view note) {
  return note.size() <= max_note && is_utf8(note) &&
         !has_character(note, [](char32_t c) { return c != '\n' && is_control(c); });
}

}  // namespace qdedup
