#pragma once

#include <cstdint>
#include <string>

namespace qdedup::cli {

// "60,000".
std::string grouped(std::uint64_t number);

// "1 line", "60,000 lines".
std::string counted(std::uint64_t number, const std::string& noun);

// "3.4 MB", in powers of ten.
std::string byte_size(std::uint64_t bytes);

}  // namespace qdedup::cli
