#pragma once

#include <string>

namespace qdedup {

// The version of this program, as CMakeLists.txt states it: "0.1.0".
std::string program_version();

}  // namespace qdedup
