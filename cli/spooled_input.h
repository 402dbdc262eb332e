#pragma once

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::cli {

// A file with everything that `descriptor` (a pipe, a terminal) gives until its end, in $TMPDIR and without a
// name; it stands at its beginning. Errors name the folder.
Result<FileDescriptor> spool(int descriptor);

// Whether it is a regular file, which needs no spooling.
bool is_regular_file(int descriptor);

}  // namespace qdedup::cli
