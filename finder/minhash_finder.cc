#include "finder/minhash_finder.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/mixed_bits.h"
#include "refine/features.h"

namespace qdedup::finder {
namespace {

// The largest prime below 2^32, so that products fit into 64 bits.
constexpr std::uint64_t prime = 4'294'967'291U;
constexpr std::size_t bytes_per_number = sizeof(std::uint32_t);

std::uint32_t byte_of(std::span<const std::uint32_t> signature, std::size_t i) {
  return signature[i / bytes_per_number] >> (8 * (i % bytes_per_number)) & 0xFFU;
}

// How many of the four bytes of a number are 0.
std::size_t zero_bytes(std::uint32_t number) {
  const std::uint32_t low_bits = (number & 0x7F7F7F7FU) + 0x7F7F7F7FU;
  return static_cast<std::size_t>(std::popcount(~(low_bits | number | 0x7F7F7F7FU)));
}

}  // namespace

MinhashFinder::MinhashFinder(const MinhashSettings& settings) : settings_(settings) {
  for (std::uint64_t i = 0; i < settings_.bands * settings_.rows; ++i) {
    permutations_.push_back({mixed_bits(2 * i + 1) % (prime - 1) + 1, mixed_bits(2 * i + 2) % prime});
  }
}

std::string MinhashFinder::name() const {
  return "minhash gram " + std::to_string(settings_.gram) + " bands " + std::to_string(settings_.bands) +
         " rows " + std::to_string(settings_.rows) + " similarity " + std::to_string(settings_.similarity);
}

Signature MinhashFinder::signature(std::u32string_view text) const {
  std::vector<std::uint32_t> smallest(permutations_.size(), std::numeric_limits<std::uint32_t>::max());
  for (const std::uint64_t gram : refine::gram_hashes(text, settings_.gram)) {
    const std::uint64_t element = gram % prime;
    for (std::size_t i = 0; i < permutations_.size(); ++i) {
      const std::uint64_t image = (permutations_[i].factor * element + permutations_[i].summand) % prime;
      smallest[i] = std::min(smallest[i], static_cast<std::uint32_t>(image));
    }
  }
  Signature packed((permutations_.size() + bytes_per_number - 1) / bytes_per_number);
  for (std::size_t i = 0; i < smallest.size(); ++i)
    packed[i / bytes_per_number] |= (smallest[i] & 0xFFU) << (8 * (i % bytes_per_number));
  return packed;
}

void MinhashFinder::append_keys(std::span<const std::uint32_t> signature,
                                std::vector<std::uint32_t>& keys) const {
  for (std::size_t band = 0; band < settings_.bands; ++band) {
    std::uint64_t key = band;
    for (std::size_t row = 0; row < settings_.rows; ++row)
      key = key << 8U ^ key >> 56U ^ byte_of(signature, band * settings_.rows + row);
    keys.push_back(static_cast<std::uint32_t>(mixed_bits(key + 0x9E3779B97F4A7C15U)));
  }
}

// Unused bytes are 0 in all signatures. For two texts that share a fraction `s` of their sets, s + (1 - s) /
// 256 of the permutations agree, because one byte in 256 is equal by chance.
double MinhashFinder::estimate(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const {
  constexpr double by_chance = 1.0 / 256;
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.size(); ++i) same += zero_bytes(a[i] ^ b[i]);
  same -= a.size() * bytes_per_number - permutations_.size();
  const double share = static_cast<double>(same) / static_cast<double>(permutations_.size());
  return (share - by_chance) / (1 - by_chance);
}

std::optional<Nearness> MinhashFinder::near(std::span<const std::uint32_t> a,
                                            std::span<const std::uint32_t> b) const {
  const double estimated = estimate(a, b);
  if (estimated < settings_.similarity) return {};
  return static_cast<Nearness>(estimated * all_shared);
}

}  // namespace qdedup::finder
