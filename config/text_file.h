#pragma once

#include <string>

#include "base/result.h"

namespace qdedup::config {

// All of a small file. Errors begin with the path; a folder is ErrorCode::no_input.
Result<std::string> read_text_file(const std::string& path);

}  // namespace qdedup::config
