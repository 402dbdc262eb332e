#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace qdedup::logs {

// Whether a name matches one component of a glob (glob(7)).
bool matches_component(const std::string& component, const char* name);

// The names in `folder` that match one component of a glob, in no order. One without wildcards is returned
// whether it is there or not.
Result<std::vector<std::string>> names_matching(const std::string& folder, const std::string& component);

// The paths that match a glob, in no order. Folders that cannot be read count as empty; ErrorCode::busy if
// there are no more descriptors. (Where there is no memory, glob(3) frees some twice.)
Result<std::vector<std::string>> expand_glob(const std::string& glob);

}  // namespace qdedup::logs
