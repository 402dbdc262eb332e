#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace qdedup::finder {

// Many signatures in little memory. They stay where they are for as long as the column lives.
class SignatureColumn {
 public:
  std::span<const std::uint32_t> add(std::span<const std::uint32_t> signature) {
    if (signature.size() > free_) make_room(signature.size());
    std::uint32_t* const begin = next_;
    std::ranges::copy(signature, begin);
    next_ += signature.size();
    free_ -= signature.size();
    numbers_ += signature.size();
    return {begin, signature.size()};
  }

  // That were added, in all.
  [[nodiscard]] std::size_t numbers() const { return numbers_; }

 private:
  static constexpr std::size_t usual_block = std::size_t{1} << 16U;

  void make_room(std::size_t numbers) {
    free_ = std::max(numbers, usual_block);
    blocks_.push_back(std::make_unique<std::uint32_t[]>(free_));
    next_ = blocks_.back().get();
  }

  std::vector<std::unique_ptr<std::uint32_t[]>> blocks_;
  std::uint32_t* next_ = nullptr;
  std::size_t free_ = 0;
  std::size_t numbers_ = 0;
};

}  // namespace qdedup::finder
