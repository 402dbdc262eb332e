#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace qdedup {

// An array of elements whose bytes are all 0 at first. Pages that nobody writes to take no memory.
template <class T>
class ZeroedArray {
 public:
  static_assert(std::is_trivial_v<T>);

  explicit ZeroedArray(std::size_t size) : elements_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (!elements_ && size > 0) throw std::bad_alloc();
  }

  [[nodiscard]] T& operator[](std::size_t place) { return elements_[place]; }
  [[nodiscard]] const T& operator[](std::size_t place) const { return elements_[place]; }

 private:
  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };

  std::unique_ptr<T[], Free> elements_;
};

}  // namespace qdedup
