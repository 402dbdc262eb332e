#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::logs {

// Whether the path names a descriptor (/dev/stdin, /dev/fd/63, /proc/self/fd/63), or leads through one, which
// is another file in another process.
bool is_descriptor(std::string_view path);

// $TMPDIR, or /tmp.
std::string temporary_folder();

Error no_temporary_file(const std::string& folder, int reason);

// In that folder, without a name.
Result<FileDescriptor> temporary_file();

// Reads a source to its end into an unnamed file in $TMPDIR, positioned at its beginning, since a pipe can be
// read only once. Errors of that file name the folder.
Result<FileDescriptor> spool(ByteSource& source);

// Reads to its end each input that this process inherited (- and paths that name a descriptor) and that is
// not a file (but a pipe or a terminal), into such a file that takes its place. Errors are those of spool().
Status spool_pipes(const std::vector<std::string>& inputs);

}  // namespace qdedup::logs
