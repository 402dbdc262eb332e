#include "finder/posting_lists.h"

#include <algorithm>
#include <bit>

namespace qdedup::finder {
namespace {

constexpr std::size_t postings_per_list = 4;

std::size_t list_count(std::size_t postings) {
  return std::bit_ceil(std::max<std::size_t>(postings / postings_per_list, 1));
}

}  // namespace

PostingLists::PostingLists(std::size_t postings) : lists_(list_count(postings)), mask_(lists_.size() - 1) {}

void PostingLists::add(std::uint64_t hash, const Posting& posting) {
  List& list = lists_[hash & mask_];
  if (list.size == 0 || std::has_single_bit(list.size)) grow(list);
  list.postings[list.size++] = posting;
}

// A full list's room is its size: 1, 2, 4, 8 …
void PostingLists::grow(List& list) {
  const std::size_t room = std::max<std::size_t>(1, std::size_t{2} * list.size);
  auto* larger = static_cast<Posting*>(pool_.allocate(room * sizeof(Posting), alignof(Posting)));
  std::copy_n(list.postings, list.size, larger);
  if (list.size > 0) pool_.deallocate(list.postings, list.size * sizeof(Posting), alignof(Posting));
  list.postings = larger;
}

}  // namespace qdedup::finder
