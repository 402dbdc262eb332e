#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

namespace qdedup {

// What the command-line packer makes of `bytes`: packed("gzip -9", bytes), packed("zstd --check", bytes).
inline std::string packed(const std::string& command, std::string_view bytes) {
  const TemporaryFolder folder;
  const std::string input = folder.write("input", bytes);
  const std::string output = folder / "output";
  if (std::system((command + " < '" + input + "' > '" + output + "'").c_str()) != 0) {
    throw std::runtime_error("this failed: " + command);
  }
  return folder.read("output");
}

}  // namespace qdedup
