#include "finder/minhash_scheme.h"

#include <algorithm>
#include <limits>

#include "finder/grams.h"

namespace qdedup::finder {
namespace {

// The largest prime below 2^32, so that products fit 64 bits.
constexpr std::uint64_t prime = 4'294'967'291U;

}  // namespace

MinhashScheme::MinhashScheme(const MinhashSettings& settings) : settings_(settings) {
  for (std::uint64_t i = 0; i < settings_.bands * settings_.rows; ++i) {
    permutations_.push_back({mixed_bits(2 * i + 1) % (prime - 1) + 1, mixed_bits(2 * i + 2) % prime});
  }
}

std::string MinhashScheme::name() const {
  return "minhash gram " + std::to_string(settings_.gram) + " bands " + std::to_string(settings_.bands) +
         " rows " + std::to_string(settings_.rows) + " similarity " + std::to_string(settings_.similarity);
}

Signature MinhashScheme::signature(std::u32string_view text) const {
  Signature smallest(permutations_.size(), std::numeric_limits<std::uint32_t>::max());
  for (const std::uint64_t gram : gram_hashes(text, settings_.gram)) {
    const std::uint64_t element = gram % prime;
    for (std::size_t i = 0; i < permutations_.size(); ++i) {
      const std::uint64_t image = (permutations_[i].factor * element + permutations_[i].summand) % prime;
      smallest[i] = std::min(smallest[i], static_cast<std::uint32_t>(image));
    }
  }
  return smallest;
}

void MinhashScheme::append_keys(std::span<const std::uint32_t> signature,
                                std::vector<std::uint32_t>& keys) const {
  for (std::size_t band = 0; band < settings_.bands; ++band) {
    std::uint64_t key = band;
    for (const std::uint32_t value : signature.subspan(band * settings_.rows, settings_.rows))
      key = mixed_bits(key + value + 0x9E3779B97F4A7C15U);
    keys.push_back(static_cast<std::uint32_t>(key));
  }
}

bool MinhashScheme::near(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.size(); ++i) same += a[i] == b[i] ? 1U : 0U;
  return static_cast<double>(same) >= settings_.similarity * static_cast<double>(a.size());
}

bool MinhashScheme::accepts(std::span<const std::uint32_t> signature) const {
  return signature.size() == permutations_.size();
}

}  // namespace qdedup::finder
