#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace qdedup::finder {

// "Text `number`, of `length` characters, has the piece at `position`." The tag tells most pieces that share
// a list apart.
struct Posting {
  static constexpr unsigned length_bits = 11;
  static constexpr unsigned tag_bits = 10;
  static constexpr std::uint32_t length_mask = (1U << length_bits) - 1;
  static constexpr std::uint32_t tag_mask = (1U << tag_bits) - 1;

  std::uint32_t number;
  std::uint32_t position : length_bits;
  std::uint32_t length : length_bits;
  std::uint32_t tag : tag_bits;

  static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> (64U - tag_bits));
  }
};

// Lists of postings by hash. A list takes twice the memory of its postings at most, and there is one for
// every four that are expected, with 16 bytes.
class PostingLists {
 public:
  // For about `postings` of them.
  explicit PostingLists(std::size_t postings);
  PostingLists(const PostingLists&) = delete;
  PostingLists& operator=(const PostingLists&) = delete;
  ~PostingLists() = default;  // the pool frees all lists

  // `hash` of the piece; the posting gets its tag.
  void add(std::uint64_t hash, Posting posting);

  // Those with the hash, and others, in the order in which they were added.
  [[nodiscard]] std::span<const Posting> of(std::uint64_t hash) const {
    const List& list = lists_[hash & mask_];
    return {list.postings, list.size};
  }

  // To be called some time before of(), in this order.
  void prefetch_list(std::uint64_t hash) const { __builtin_prefetch(&lists_[hash & mask_]); }
  void prefetch_postings(std::uint64_t hash) const { __builtin_prefetch(lists_[hash & mask_].postings); }

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
