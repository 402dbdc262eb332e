#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace qdedup {

// The name of the user that this process runs as, or of another; the number if it has no name.
std::string unix_user();
std::string unix_user(uid_t user);

// May `name` stand in the audit for who decided: UTF-8 without control characters, 1 to 64 bytes? Linear.
[[nodiscard]] bool is_reviewer_name(std::string_view name);

}  // namespace qdedup
