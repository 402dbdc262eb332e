#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace qdedup {

// The JSON `line`, with one of its whole numbers at a time replaced by one that is none. The library is
// undefined where it is asked for 1e300 as a whole number.
inline std::vector<std::string> with_wrong_numbers(const std::string& line) {
  std::vector<std::string> lines;
  const nlohmann::json fields = nlohmann::json::parse(line).flatten();
  for (const auto& [place, value] : fields.items()) {
    if (!value.is_number_unsigned()) continue;
    for (const double wrong : {-1.0, 1.5, 1e300}) {
      nlohmann::json changed = fields;
      changed[place] = wrong;
      lines.push_back(changed.unflatten().dump());
    }
  }
  return lines;
}

}  // namespace qdedup
