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

// The paths that match a glob, in no order; some may be gone by then. For a folder that may not be read, the
// rest of the glob stands as it is, so that opening that path says why nothing of it is read. Other failures
// are errors, as nothing is known then of what is there. `?` and `[…]` match bytes. Unlike for glob(3), which
// frees some memory twice when there is no more, a backslash before a slash escapes nothing.
Result<std::vector<std::string>> expand_glob(const std::string& glob);

}  // namespace qdedup::logs
