#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace qdedup::cli {

// Reads to its end each input that this process inherited (- and what logs::descriptor_of() knows) and that
// is not a file (but a pipe or a terminal), into an unnamed file in $TMPDIR that takes its place. Errors name
// that folder.
Status spool_pipes(const std::vector<std::string>& inputs);

}  // namespace qdedup::cli
