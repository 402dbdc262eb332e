#pragma once

#include <string>

#include <sys/types.h>

namespace qdedup::cli {

// The name of the user that this process runs as, or of another; the number where it has no name.
std::string unix_user();
std::string unix_user(uid_t user);

}  // namespace qdedup::cli
