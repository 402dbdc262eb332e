#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace qdedup::finder {

// "Text `number`, of `length` characters, has the gram at `position`."
struct Posting {
  std::uint32_t number;
  std::uint16_t position;
  std::uint16_t length;
};

// Lists of postings by hash: grams that share a list are told apart by whoever looks at the texts. A list
// takes twice the memory of its postings at most, and each hash 16 bytes.
class PostingLists {
 public:
  // For about `postings` of them.
  explicit PostingLists(std::size_t postings);
  PostingLists(const PostingLists&) = delete;
  PostingLists& operator=(const PostingLists&) = delete;
  ~PostingLists() = default;  // the pool frees all lists

  void add(std::uint64_t hash, const Posting& posting);

  // In the order in which they were added.
  [[nodiscard]] std::span<const Posting> of(std::uint64_t hash) const {
    const List& list = lists_[hash & mask_];
    return {list.postings, list.size};
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&lists_[hash & mask_]); }

 private:
  struct List {
    Posting* postings = nullptr;
    std::uint32_t size = 0;
  };

  void grow(List& list);

  std::pmr::unsynchronized_pool_resource pool_;
  std::vector<List> lists_;
  std::uint64_t mask_;
};

}  // namespace qdedup::finder
