#pragma once

#include <cstdlib>
#include <new>

#include <unicode/utypes.h>

namespace qdedup::refine {

// ICU fails only where memory has run out, or its data is missing: nothing can be decided then.
inline void require_success(UErrorCode status) {
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) != 0) std::abort();
}

}  // namespace qdedup::refine
