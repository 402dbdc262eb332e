#pragma once

#include <string>
#include <vector>

namespace qdedup {

// Log lines that are selected, each with a number of its own by which it is known in the evidence.
inline std::string numbered_line(int number) {
  return "[[" + std::to_string(2 * number + 1) + ",0.9],[" + std::to_string(2 * number + 2) + ",0.8]]\n";
}

inline std::string numbered_lines(int begin, int end) {
  std::string lines;
  for (int number = begin; number < end; ++number) lines += numbered_line(number);
  return lines;
}

inline std::vector<int> numbers(int begin, int end) {
  std::vector<int> all;
  for (int number = begin; number < end; ++number) all.push_back(number);
  return all;
}

}  // namespace qdedup
