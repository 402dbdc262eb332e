#include "refine/character_class.h"

#include <array>
#include <string_view>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

constexpr char32_t max_code_point = 0x10FFFF;
constexpr std::u32string_view single_signs = U"-*/%\u2030\u2031\u2032\u2033";
constexpr std::uint32_t sign_categories =
    U_GC_SM_MASK | U_GC_SC_MASK | U_GC_SK_MASK | U_GC_SO_MASK | U_GC_NO_MASK | U_GC_NL_MASK;

bool is_han(UChar32 character) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(character, &status) == USCRIPT_HAN;
}

bool is_single_sign(char32_t code_point) {
  const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(code_point));
  return (category & sign_categories) != 0 || code_point == subscript_mark ||
         is_one_of(code_point, single_signs);
}

CharacterClass find_class(char32_t code_point) {
  const auto character = static_cast<UChar32>(code_point);
  if (u_isdefined(character) == 0) return CharacterClass::dropped;
  if (is_han(character)) return CharacterClass::han;
  if (code_point >= U'0' && code_point <= U'9') return CharacterClass::digit;
  if (u_isalpha(character) != 0) return CharacterClass::letter;
  if (is_one_of(code_point, U"([{")) return CharacterClass::opening;
  if (is_one_of(code_point, U")]}")) return CharacterClass::closing;
  if (code_point == U':') return CharacterClass::colon;
  if (code_point == U',') return CharacterClass::comma;
  if (code_point == U'!') return CharacterClass::exclamation;
  if (is_single_sign(code_point)) return CharacterClass::sign;
  return u_isUWhiteSpace(character) != 0 ? CharacterClass::white : CharacterClass::dropped;
}

constexpr unsigned bit(unsigned role) { return 1U << role; }

constexpr auto roles_by_class = [] {
  std::array<unsigned, 1U << (32 - class_shift)> roles{};
  const auto set = [&roles](CharacterClass kind, unsigned of_kind) {
    roles[static_cast<std::size_t>(kind)] = of_kind;
  };
  set(CharacterClass::han, bit(role::han));
  set(CharacterClass::digit, bit(role::sign) | bit(role::value) | bit(role::digit));
  set(CharacterClass::letter, bit(role::sign) | bit(role::value));
  set(CharacterClass::sign, bit(role::sign));
  set(CharacterClass::comma, bit(role::comma));
  for (const auto kind :
       {CharacterClass::opening, CharacterClass::closing, CharacterClass::colon, CharacterClass::exclamation})
    set(kind, bit(role::bound));
  return roles;
}();

using BlockKinds = std::vector<BlockKind>;

bool has_ideographs_only(std::size_t block) {
  for (std::size_t i = 0; i < code_points_per_block; ++i) {
    const auto character = static_cast<UChar32>(block * code_points_per_block + i);
    if (u_hasBinaryProperty(character, UCHAR_UNIFIED_IDEOGRAPH) == 0) return false;
  }
  return true;
}

UBool note_range(const void* kinds, UChar32 begin, UChar32 end, UCharCategory category) {
  constexpr UChar32 private_planes = 0xF0000;
  if (category == U_UNASSIGNED || begin >= private_planes) return 1;
  BlockKinds& found = **static_cast<BlockKinds* const*>(kinds);
  const auto first = static_cast<std::size_t>(begin) / code_points_per_block;
  const auto last = static_cast<std::size_t>(end - 1) / code_points_per_block;
  for (std::size_t block = first; block <= last; ++block) {
    found[block] = has_ideographs_only(block) ? BlockKind::ideographs : BlockKind::mixed;
  }
  return 1;
}

BlockKinds find_block_kinds() {
  BlockKinds kinds((UCHAR_MAX_VALUE + 1) / code_points_per_block);
  BlockKinds* const found = &kinds;
  u_enumCharTypes(note_range, &found);
  return kinds;
}

}  // namespace

const std::vector<BlockKind>& block_kinds() {
  static const std::vector<BlockKind> kinds = find_block_kinds();
  return kinds;
}

ClassedCharacter classed(char32_t code_point) {
  if (code_point > max_code_point) return 0;
  const CharacterClass kind = character_classes()[code_point];
  const unsigned roles =
      roles_by_class[static_cast<std::size_t>(kind)] | (code_point == U'.' ? bit(role::point) : 0U);
  return static_cast<ClassedCharacter>(kind) << class_shift | roles << roles_shift | code_point;
}

const CodePointTable<CharacterClass>& character_classes() {
  static const CodePointTable<CharacterClass> classes(find_class);
  return classes;
}

}  // namespace qdedup::refine
