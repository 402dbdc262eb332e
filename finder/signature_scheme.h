#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace qdedup::finder {

// What stands for a text. Its length depends on the scheme.
using Signature = std::vector<std::uint32_t>;

// Numbered texts, by their signatures, of which all pairs are wanted that are near each other.
class NearIndex {
 public:
  using Take = std::function<void(std::uint32_t a, std::uint32_t b)>;
  using Wanted = std::function<bool(std::uint32_t a, std::uint32_t b)>;

  NearIndex() = default;
  NearIndex(const NearIndex&) = delete;
  NearIndex& operator=(const NearIndex&) = delete;
  virtual ~NearIndex() = default;

  // For so many texts at most.
  virtual void reserve(std::size_t texts) = 0;

  // Numbers ascend.
  virtual void add(std::uint32_t number, std::span<const std::uint32_t> signature) = 0;

  // After the last add(), once. Takes pairs with equal signatures that find() may not return. `moved` is
  // called now and then. ErrorCode::config if there are more keys than the index can have.
  virtual Status build(const Take& take, const std::function<void()>& moved) = 0;

  // Texts to be looked up.
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Takes the pairs of the texts at the places [begin, end) below size() with those of smaller numbers, but
  // only `wanted` ones. Returns how many candidates the index brought up. On any number of threads.
  [[nodiscard]] virtual std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                           const Take& take) const = 0;
};

// A measure of nearness that needs no comparison of texts in full.
class SignatureScheme {
 public:
  SignatureScheme() = default;
  SignatureScheme(const SignatureScheme&) = delete;
  SignatureScheme& operator=(const SignatureScheme&) = delete;
  virtual ~SignatureScheme() = default;

  // The scheme and its settings.
  [[nodiscard]] virtual std::string name() const = 0;

  // How many texts there will be, about; before the first is learnt.
  virtual void expect(std::size_t /*texts*/) {}

  // Takes into account what is common in texts; to be called for all before the first signature.
  virtual void learn(std::u32string_view /*text*/) {}

  [[nodiscard]] virtual Signature signature(std::u32string_view text) const = 0;

  // Whether two texts are near each other, by their signatures.
  [[nodiscard]] virtual bool near(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b) const = 0;

  // For signatures of this scheme, which must outlive it. An index that goes by keys has `max_keys` at most.
  static constexpr std::size_t max_index_keys = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] virtual std::unique_ptr<NearIndex> make_index(std::size_t max_keys) const = 0;
};

}  // namespace qdedup::finder
