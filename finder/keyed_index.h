#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "finder/signature_scheme.h"

namespace qdedup::finder {

// A scheme by which near texts have a key in common (minhash: most likely). Keys are evenly spread over 32
// bits.
class KeyedScheme : public SignatureScheme {
 public:
  // Appends the keys of a signature.
  virtual void append_keys(std::span<const std::uint32_t> signature,
                           std::vector<std::uint32_t>& keys) const = 0;

  // A KeyedIndex.
  [[nodiscard]] std::unique_ptr<NearIndex> make_index(std::size_t max_keys) const final;
};

// Texts that share a key are compared by their signatures. A text takes 16 bytes, its signature, and five to
// six bytes for each of its keys.
class KeyedIndex final : public NearIndex {
 public:
  // So that very many texts with a key in common cost no more, only so many texts before a text are looked at
  // for each of its keys.
  static constexpr std::size_t max_looked_at = 2048;

  // The scheme must outlive it.
  explicit KeyedIndex(const KeyedScheme& scheme, std::size_t max_keys = SignatureScheme::max_index_keys)
      : scheme_(scheme), max_keys_(max_keys) {}

  void reserve(std::size_t texts) override { texts_.reserve(texts); }
  void add(std::uint32_t number, std::span<const std::uint32_t> signature) override;
  Status build(const Take& take, const std::function<void()>& moved) override;
  [[nodiscard]] std::size_t size() const override { return texts_.size(); }
  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const override;

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

  const std::uint32_t* store(std::span<const std::uint32_t> signature);
  template <class TakeKey>
  void for_each_key(const std::function<void()>& moved, const TakeKey& take) const;
  [[nodiscard]] std::size_t bucket_of(std::uint32_t key) const {
    return static_cast<std::size_t>(std::uint64_t{key} << bucket_bits_ >> 32U);
  }
  void gather(std::size_t place, Scratch& scratch) const;
  [[nodiscard]] bool share_a_key(Scratch& scratch, const Text& other) const;

  const KeyedScheme& scheme_;
  std::size_t max_keys_;
  std::vector<Text> texts_;
  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;  // of signatures
  std::uint32_t* free_ = nullptr;
  std::size_t free_numbers_ = 0;
  // Buckets of the places of texts by key; a bucket has several keys.
  unsigned bucket_bits_ = 0;
  std::vector<std::uint32_t> begins_ = {0, 0};  // of the buckets, and the end of the last
  std::vector<std::uint32_t> places_;
};

}  // namespace qdedup::finder
