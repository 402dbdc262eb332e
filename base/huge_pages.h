#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace qdedup {

// For a large table that is read in no order: in huge pages, if the system has them, so that reading it
// rarely has to wait for the address of a page.
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <class Other>
  explicit HugePageAllocator(const HugePageAllocator<Other>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const place = ::operator new(bytes, alignment_for(count));
    if (bytes >= page_bytes) ::madvise(place, bytes / page_bytes * page_bytes, MADV_HUGEPAGE);
    return static_cast<T*>(place);
  }

  void deallocate(T* place, std::size_t count) { ::operator delete(place, alignment_for(count)); }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) = default;

 private:
  static constexpr std::size_t page_bytes = std::size_t{1} << 21U;

  static std::align_val_t alignment_for(std::size_t count) {
    return std::align_val_t{count * sizeof(T) < page_bytes ? alignof(T) : page_bytes};
  }
};

}  // namespace qdedup
