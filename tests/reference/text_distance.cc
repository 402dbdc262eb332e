#include "tests/reference/text_distance.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace qdedup::reference {

std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::size_t lcs_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(above, row);
    for (std::size_t j = 1; j <= b.size(); ++j)
      row[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
  }
  return std::max(a.size(), b.size()) - row[b.size()];
}

}  // namespace qdedup::reference
