#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::logs {

// Whether the path names a descriptor, or leads through one, which is another file in another process.
bool is_descriptor(std::string_view path);

// The descriptor of this process that the path names: /dev/stdin, /dev/fd/63, /proc/self/fd/63.
std::optional<int> descriptor_of(std::string_view path);

// $TMPDIR, or /tmp.
std::string temporary_folder();

Error no_temporary_file(const std::string& folder, int reason);

// In that folder, without a name.
Result<FileDescriptor> temporary_file();

// Reads a source to its end into an unnamed file in $TMPDIR, positioned at its beginning, since a pipe can be
// read only once. Errors of that file name the folder.
Result<FileDescriptor> spool(ByteSource& source);

}  // namespace qdedup::logs
