#pragma once

#include <cstdlib>
#include <filesystem>

namespace qdedup {

// The folder of the conformance data: a real bank and log, what the rules make of them, and pairs that were
// read one by one. It lies in the folder `shared` beside the checkout, or in the one that QDEDUP_SHARED
// names, and may be missing. For tests that are built with QDEDUP_SOURCE_DIR.
inline std::filesystem::path conformance_data() {
  const char* const shared = std::getenv("QDEDUP_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : QDEDUP_SOURCE_DIR "/../shared") / "data/dev";
}

}  // namespace qdedup
