#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory_resource>
#include <span>
#include <vector>

#include "finder/near_finder.h"

namespace qdedup::finder {

// Base of finders whose near texts share a key (with minhash: most likely). Texts that share a key are
// compared by their signatures. A text takes 16 bytes, its signature, and five to six bytes per key.
class KeyedFinder : public NearFinder {
 public:
  static constexpr std::size_t max_index_keys = std::numeric_limits<std::uint32_t>::max();

  static constexpr std::size_t usual_looked_at = 2048;

  // build() fails if there are more than `max_keys` keys. For each key of a text, at most `max_looked_at`
  // earlier texts are looked at, so that even very common keys cost no more.
  explicit KeyedFinder(std::size_t max_keys = max_index_keys, std::size_t max_looked_at = usual_looked_at)
      : max_keys_(max_keys), max_looked_at_(max_looked_at) {}

  // Appends the keys of a signature, which must be evenly distributed over 32 bits.
  virtual void append_keys(std::span<const std::uint32_t> signature,
                           std::vector<std::uint32_t>& keys) const = 0;

  void expect(std::size_t texts) override { texts_.reserve(texts); }
  void add(std::uint32_t number, std::span<const std::uint32_t> signature) final;
  Status build(const Take& take, const std::function<void()>& moved) final;
  [[nodiscard]] std::size_t size() const final { return texts_.size(); }
  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const final;

 private:
  struct Text {
    std::uint32_t number;
    std::uint32_t size;
    const std::uint32_t* begin;

    [[nodiscard]] std::span<const std::uint32_t> signature() const { return {begin, size}; }
  };
  struct Scratch {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> candidates;
    std::vector<std::uint32_t> other_keys;
  };

  template <class TakeKey>
  void for_each_key(const std::function<void()>& moved, const TakeKey& take) const;
  [[nodiscard]] std::size_t bucket_of(std::uint32_t key) const {
    return static_cast<std::size_t>(std::uint64_t{key} << bucket_bits_ >> 32U);
  }
  void gather(std::size_t place, Scratch& scratch) const;
  [[nodiscard]] bool share_a_key(Scratch& scratch, const Text& other) const;

  std::size_t max_keys_;
  std::size_t max_looked_at_;
  std::vector<Text> texts_;
  std::pmr::monotonic_buffer_resource signatures_{std::size_t{1} << 18U};
  // Buckets of positions of texts by key; several keys share a bucket.
  unsigned bucket_bits_ = 0;
  std::vector<std::uint32_t> begins_ = {0, 0};  // of the buckets, and the end of the last one
  std::vector<std::uint32_t> places_;
};

}  // namespace qdedup::finder
