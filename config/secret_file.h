#pragma once

#include <cstddef>
#include <string>

#include <sys/types.h>

#include "base/result.h"

namespace qdedup::config {

// All of a file that holds secrets, or what they are verified with. ErrorCode::config if it is not a regular
// file, gives anybody more access than `most` (0600, 0640), or has more than `longest` bytes;
// ErrorCode::no_input if it is missing or may not be read. Does not wait for who has a lease of the file:
// ErrorCode::io.
Result<std::string> read_secret_file(const std::string& path, mode_t most, std::size_t longest);

}  // namespace qdedup::config
