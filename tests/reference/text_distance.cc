#include "tests/reference/text_distance.h"

#include <algorithm>
#include <vector>

namespace qdedup::reference {
namespace {

using Table = std::vector<std::vector<std::size_t>>;

Table empty_table(std::u32string_view a, std::u32string_view b) {
  const std::vector<std::size_t> row(b.size() + 1, 0);
  return {a.size() + 1, row};
}

std::size_t lcs_length(std::u32string_view a, std::u32string_view b) {
  Table length = empty_table(a, b);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      length[i][j] =
          a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1 : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return length[a.size()][b.size()];
}

}  // namespace

std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b) {
  Table distance = empty_table(a, b);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({replaced, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
    }
  }
  return distance[a.size()][b.size()];
}

std::size_t lcs_distance(std::u32string_view a, std::u32string_view b) {
  return std::max(a.size(), b.size()) - lcs_length(a, b);
}

}  // namespace qdedup::reference
