#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace qdedup {

// The names of what is in a folder, without "." and "..", in no order. (Where memory runs out,
// std::filesystem's iterators end the process instead of throwing.)
Result<std::vector<std::string>> names_in(const std::string& folder);

}  // namespace qdedup
