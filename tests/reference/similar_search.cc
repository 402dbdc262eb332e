#include "tests/reference/similar_search.h"

#include <algorithm>
#include <cstddef>

#include "tests/reference/text_distance.h"

namespace qdedup::reference {
namespace {

bool similar(std::u32string_view a, std::u32string_view b, const refine::DuplicateSettings& settings) {
  const std::size_t length = std::max(a.size(), b.size());
  const std::size_t distance =
      settings.similarity == refine::Similarity::lcs ? lcs_distance(a, b) : levenshtein_distance(a, b);
  return (length - distance) * 100 >= static_cast<std::size_t>(settings.min_similarity) * length;
}

}  // namespace

std::vector<std::uint32_t> similar_texts(const std::vector<std::u32string>& texts, std::u32string_view han,
                                         const refine::DuplicateSettings& settings) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    if (similar(texts[number], han, settings)) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace qdedup::reference
