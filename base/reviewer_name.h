#pragma once

#include <string_view>

namespace qdedup {

// May `name` stand in the audit for who decided: UTF-8 without control characters, 1 to 64 bytes? Linear.
[[nodiscard]] bool is_reviewer_name(std::string_view name);

}  // namespace qdedup
