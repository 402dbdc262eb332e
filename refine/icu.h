#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include <unicode/unistr.h>
#include <unicode/utypes.h>
#include <unicode/uversion.h>

namespace qdedup::refine {

// ICU fails only where memory has run out, or its data is missing: nothing can be decided then.
inline void require_success(UErrorCode status) {
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) != 0) std::abort();
}

// Strings that had no memory say so in no other way.
inline void require_memory(const icu::UnicodeString& text) {
  if (text.isBogus()) throw std::bad_alloc();
}

inline icu::UnicodeString to_utf16(std::u32string_view text) {
  static_assert(sizeof(char32_t) == sizeof(UChar32));
  auto utf16 = icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(text.data()),
                                             static_cast<std::int32_t>(text.size()));
  require_memory(utf16);
  return utf16;
}

// Such as "15.0", where `get` is u_getUnicodeVersion or u_getVersion.
inline std::string version_text(void (*get)(UVersionInfo version)) {
  std::array<UVersionInfo, 1> version{};
  get(version[0]);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version[0], text.data());
  return text.data();
}

}  // namespace qdedup::refine
