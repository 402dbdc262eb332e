#pragma once

#include "base/file_descriptor.h"
#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::logs {

// Reads a source to its end into an unnamed file in $TMPDIR, positioned at its beginning, since a pipe can be
// read only once. Errors of that file name the folder.
Result<FileDescriptor> spool(ByteSource& source);

}  // namespace qdedup::logs
