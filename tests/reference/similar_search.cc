#include "tests/reference/similar_search.h"

#include "tests/reference/duplicates.h"

namespace qdedup::reference {

std::vector<std::uint32_t> similar_texts(const std::vector<std::u32string>& texts, std::u32string_view han,
                                         const refine::DuplicateSettings& settings) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    if (are_alike(texts[number], han, settings)) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace qdedup::reference
