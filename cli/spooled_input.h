#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace qdedup::cli {

// Reads each input that this process got open (-, /dev/stdin, /dev/fd/63) and that is no file (a pipe, a
// terminal) to its end, into a file without a name in $TMPDIR that takes its place. Errors name the folder.
Status spool_pipes(const std::vector<std::string>& inputs);

}  // namespace qdedup::cli
