#include "finder/posting_lists.h"

#include <algorithm>
#include <bit>

namespace qdedup::finder {
namespace {

constexpr std::size_t postings_per_list = 8;

std::size_t list_count(std::size_t postings) {
  return std::bit_ceil(std::max<std::size_t>(postings / postings_per_list, 1));
}

// A list grows by so many when it has so many: 1 to 7, 8 10 12 14, 16 20 24 28, 32 …
std::uint32_t step_after(std::uint32_t size) { return std::max(1U, std::bit_floor(size) / 4); }

}  // namespace

PostingLists::PostingLists(std::size_t postings) : lists_(list_count(postings)), mask_(lists_.size() - 1) {}

void PostingLists::add(std::uint64_t hash, Posting posting) {
  posting.tag = Posting::tag_of(hash) & Posting::tag_mask;
  List& list = lists_[hash & mask_];
  if (list.size % step_after(list.size) == 0) grow(list);
  list.postings[list.size++] = posting;
}

void PostingLists::grow(List& list) {
  const std::size_t room = list.size + step_after(list.size);
  auto* larger = static_cast<Posting*>(pool_.allocate(room * sizeof(Posting), alignof(Posting)));
  std::copy_n(list.postings, list.size, larger);
  if (list.size > 0) pool_.deallocate(list.postings, list.size * sizeof(Posting), alignof(Posting));
  list.postings = larger;
}

}  // namespace qdedup::finder
