#pragma once

#include <array>
#include <cstdlib>
#include <new>
#include <string>

#include <unicode/utypes.h>
#include <unicode/uversion.h>

namespace qdedup::refine {

// ICU fails only where memory has run out, or its data is missing: nothing can be decided then.
inline void require_success(UErrorCode status) {
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) != 0) std::abort();
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
