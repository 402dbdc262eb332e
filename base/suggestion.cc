#include "base/suggestion.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace qdedup {
namespace {

// Edits of one byte, or of two that changed places (optimal string alignment).
std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

std::string suggestion(std::string_view typed, std::span<const std::string> known) {
  constexpr std::size_t longest = 64;
  if (typed.size() > longest) return {};
  std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& word : known) {
    const bool is_beginning = typed.size() > 2 && word.starts_with(typed);
    const std::size_t errors = is_beginning ? 1 : typing_errors(typed, word);
    if (errors >= fewest || errors >= word.size()) continue;
    fewest = errors;
    nearest = &word;
  }
  return nearest == nullptr ? std::string() : " (did you mean \"" + *nearest + "\"?)";
}

}  // namespace qdedup
