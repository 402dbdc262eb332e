#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/result.h"
#include "finder/key_buckets.h"
#include "finder/text_scheme.h"

namespace qdedup::iteration {

// Numbered texts, of which all pairs are looked for that are near each other by a scheme.
class NearPairs {
 public:
  using Take = std::function<void(std::uint32_t a, std::uint32_t b)>;
  using Wanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

  NearPairs() = default;
  NearPairs(const NearPairs&) = delete;
  NearPairs& operator=(const NearPairs&) = delete;
  virtual ~NearPairs() = default;

  // How many there will be at most.
  virtual void expect(std::size_t texts) = 0;

  // Numbers ascend.
  virtual void add(std::uint32_t number, std::span<const std::uint32_t> signature) = 0;

  // Behind the last add(), once. Takes pairs that may not be found later, as they have all in common. `moved`
  // is called now and then. ErrorCode::config where the scheme gives more keys than an index can have.
  virtual Status complete(const Take& take, const std::function<void()>& moved) = 0;

  // That are to be looked up.
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Takes the pairs of the texts from the one at place `begin` (below size()) up to, not including, `end`
  // with those of smaller numbers, but for pairs that are not `wanted`. Answers how many candidates the index
  // brought up. On any number of threads.
  [[nodiscard]] virtual std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                           const Take& take) const = 0;
};

// By the tables of hashes for simhash, by an index of at most so many keys for the others.
std::unique_ptr<NearPairs> near_pairs_of(std::unique_ptr<finder::TextScheme> scheme,
                                         std::size_t most_keys = finder::KeyBuckets::most_keys);

}  // namespace qdedup::iteration
