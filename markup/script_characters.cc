#include "markup/script_characters.h"

#include <algorithm>
#include <array>

#include "markup/byte_set.h"

namespace qdedup::markup {
namespace {

struct ScriptLetter {
  std::string_view written;
  char base;
};

// The raised ones, then the lowered ones.
constexpr std::size_t raised_letters = 43;
constexpr std::array<ScriptLetter, 60> script_letters = {{
    {"ᴬ", 'A'}, {"ᴮ", 'B'}, {"ᴰ", 'D'}, {"ᴱ", 'E'}, {"ᴳ", 'G'}, {"ᴴ", 'H'}, {"ᴵ", 'I'}, {"ᴶ", 'J'},
    {"ᴷ", 'K'}, {"ᴸ", 'L'}, {"ᴹ", 'M'}, {"ᴺ", 'N'}, {"ᴼ", 'O'}, {"ᴾ", 'P'}, {"ᴿ", 'R'}, {"ᵀ", 'T'},
    {"ᵁ", 'U'}, {"ⱽ", 'V'}, {"ᵂ", 'W'}, {"ᵃ", 'a'}, {"ᵇ", 'b'}, {"ᶜ", 'c'}, {"ᵈ", 'd'}, {"ᵉ", 'e'},
    {"ᶠ", 'f'}, {"ᵍ", 'g'}, {"ʰ", 'h'}, {"ⁱ", 'i'}, {"ʲ", 'j'}, {"ᵏ", 'k'}, {"ˡ", 'l'}, {"ᵐ", 'm'},
    {"ᵒ", 'o'}, {"ᵖ", 'p'}, {"ʳ", 'r'}, {"ˢ", 's'}, {"ᵗ", 't'}, {"ᵘ", 'u'}, {"ᵛ", 'v'}, {"ʷ", 'w'},
    {"ˣ", 'x'}, {"ʸ", 'y'}, {"ᶻ", 'z'}, {"ₐ", 'a'}, {"ₑ", 'e'}, {"ₒ", 'o'}, {"ₓ", 'x'}, {"ₕ", 'h'},
    {"ₖ", 'k'}, {"ₗ", 'l'}, {"ₘ", 'm'}, {"ₙ", 'n'}, {"ₚ", 'p'}, {"ₛ", 's'}, {"ₜ", 't'}, {"ᵢ", 'i'},
    {"ⱼ", 'j'}, {"ᵣ", 'r'}, {"ᵤ", 'u'}, {"ᵥ", 'v'},
}};

std::optional<ScriptCharacter> script_letter(std::string_view text) {
  const auto* const found = std::ranges::find_if(
      script_letters, [text](const ScriptLetter& letter) { return text.starts_with(letter.written); });
  if (found == script_letters.end()) return std::nullopt;
  const bool is_raised = found < script_letters.begin() + raised_letters;
  return ScriptCharacter{found->base, is_raised, found->written.size()};
}

}  // namespace

std::optional<ScriptCharacter> script_character(std::string_view text) {
  if (text.starts_with("²")) return ScriptCharacter{'2', true, 2};
  if (text.starts_with("³")) return ScriptCharacter{'3', true, 2};
  if (text.starts_with("¹")) return ScriptCharacter{'1', true, 2};
  constexpr ByteSet letter_leads("\xCA\xCB\xE1");
  if (text.empty()) return std::nullopt;
  if (letter_leads.has(text[0])) return script_letter(text);
  if (text.size() < 3 || text[0] != '\xE2') return std::nullopt;
  const auto last = static_cast<unsigned char>(text[2]);
  if (text[1] == '\x81' && (last == 0xB0 || (last >= 0xB4 && last <= 0xBF))) {
    return ScriptCharacter{"0   456789+-=()n"[last - 0xB0U], true, 3};
  }
  if (text[1] == '\x82' && last >= 0x80 && last <= 0x8E) {
    return ScriptCharacter{"0123456789+-=()"[last - 0x80U], false, 3};
  }
  const bool may_be_letter =
      (text[1] == '\x81' && last == 0xB1) || (text[1] == '\x82' && last >= 0x90) || text[1] == '\xB1';
  if (may_be_letter) return script_letter(text);
  return std::nullopt;
}

}  // namespace qdedup::markup
