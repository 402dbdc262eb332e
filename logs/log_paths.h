#pragma once

#include <string>
#include <vector>

namespace qdedup::logs {

// The files that match any of `globs` (glob(7)) at this moment, each once, by name.
std::vector<std::string> matching_paths(const std::vector<std::string>& globs);

}  // namespace qdedup::logs
