#pragma once

#include <string>

#include "base/result.h"

namespace qdedup::daemon {

// The token in a file, without the white space round it. ErrorCode::config when the file is not a regular
// file of mode 0600 or less, is longer than 4 KiB or empty; ErrorCode::no_input when it is not there or may
// not be read.
Result<std::string> read_token_file(const std::string& path);

}  // namespace qdedup::daemon
