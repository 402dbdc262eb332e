#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace qdedup::refine {

// Working memory for `size` code points, not initialised: inside the object itself when they are few, so that
// short texts cost no allocation.
template <std::size_t near_size>
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : far_(size > near_size ? std::make_unique_for_overwrite<char32_t[]>(size) : nullptr) {}

  [[nodiscard]] char32_t* data() { return far_ ? far_.get() : near_.data(); }
  [[nodiscard]] const char32_t* data() const { return far_ ? far_.get() : near_.data(); }

 private:
  std::array<char32_t, near_size> near_;
  std::unique_ptr<char32_t[]> far_;
};

}  // namespace qdedup::refine
