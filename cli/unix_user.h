#pragma once

#include <string>

namespace qdedup::cli {

// The name of the user that this process runs as; the number where it has no name.
std::string unix_user();

}  // namespace qdedup::cli
