#pragma once

#include <string>

namespace qdedup::refine {

// Names the rules by which texts become signs and sketches: this program's, and the Unicode version of the
// ICU in use. What was stored under another name must be computed anew.
std::string sign_rules_version();

}  // namespace qdedup::refine
