#include "finder/substring_scheme.h"

#include <algorithm>

#include "finder/grams.h"

namespace qdedup::finder {

std::string SubstringScheme::name() const {
  return "substring gram " + std::to_string(settings_.gram) + " shared " + std::to_string(settings_.shared);
}

Signature SubstringScheme::signature(std::u32string_view text) const {
  Signature grams;
  for (const std::uint64_t gram : gram_hashes(text, settings_.gram)) {
    grams.push_back(static_cast<std::uint32_t>(gram));
  }
  std::ranges::sort(grams);
  grams.erase(std::unique(grams.begin(), grams.end()), grams.end());
  return grams;
}

void SubstringScheme::append_keys(std::span<const std::uint32_t> signature,
                                  std::vector<std::uint32_t>& keys) const {
  keys.insert(keys.end(), signature.begin(), signature.end());
}

bool SubstringScheme::near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) ++common;
    const bool next_a = a[i] <= b[j];
    const bool next_b = b[j] <= a[i];
    i += next_a ? 1U : 0U;
    j += next_b ? 1U : 0U;
  }
  return common > 0 &&
         static_cast<double>(common) >= settings_.shared * static_cast<double>(std::min(a.size(), b.size()));
}

bool SubstringScheme::accepts(std::span<const std::uint32_t> signature) const {
  return std::ranges::adjacent_find(signature, std::ranges::greater_equal()) == signature.end();
}

}  // namespace qdedup::finder
