#include "miner/numbered_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include <xxhash.h>

#include "miner/score_key.h"

namespace qdedup::miner {
namespace {

constexpr std::size_t lookahead = 16;

// A list as it is sorted. What mostly decides stands in here, so that the lists themselves are seldom looked
// at.
struct Entry {
  std::uint64_t key;
  std::uint32_t first;  // member
  std::uint32_t list;
};

std::uint64_t hash(std::span<const std::uint32_t> members) {
  return XXH3_64bits(members.data(), members.size_bytes());
}

// Sorts by key, ties as `ties_precede` says: spreads the entries over some two thousand ranges of keys, in
// place (P. M. McIlroy, K. Bostic, M. D. McIlroy, "Engineering radix sort", Computing Systems 6(1), 1993),
// and sorts these one by one, as they fit the processor's caches.
template <class TiesPrecede>
void sort_by_key(std::vector<Entry>& entries, const TiesPrecede& ties_precede) {
  if (entries.empty()) return;
  constexpr int range_bits = 11;
  const auto [least, greatest] = std::ranges::minmax(entries, {}, &Entry::key);
  const std::uint64_t lowest = least.key;
  const int shift = std::max(0, static_cast<int>(std::bit_width(greatest.key - lowest)) - range_bits);
  const auto range_of = [&](const Entry& entry) { return (entry.key - lowest) >> shift; };

  std::array<std::size_t, (1U << range_bits) + 1> begins{};
  for (const Entry& entry : entries) ++begins[range_of(entry) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  auto next = begins;
  for (std::size_t range = 0; range + 1 < begins.size(); ++range) {
    while (next[range] < begins[range + 1]) {
      Entry& entry = entries[next[range]];
      const std::size_t home = range_of(entry);
      std::swap(entry, entries[next[home]++]);
    }
    std::sort(
        entries.begin() + static_cast<std::ptrdiff_t>(begins[range]),
        entries.begin() + static_cast<std::ptrdiff_t>(begins[range + 1]),
        [&](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : ties_precede(a, b); });
  }
}

bool members_precede(const NumberedLists& lists, const Entry& a, const Entry& b) {
  if (a.list == b.list) return false;
  return std::ranges::lexicographical_compare(lists.members(a.list), lists.members(b.list));
}

// The distinct lists, of equal ones the one with the highest top score; by hash.
std::vector<Entry> distinct_entries(const NumberedLists& lists) {
  std::vector<Entry> entries;
  entries.reserve(lists.size());
  for (std::size_t list = 0; list < lists.size(); ++list) {
    const auto members = lists.members(list);
    entries.push_back({hash(members), members.front(), static_cast<std::uint32_t>(list)});
  }
  sort_by_key(entries, [&](const Entry& a, const Entry& b) {
    if (members_precede(lists, a, b)) return true;
    return !members_precede(lists, b, a) && lists.top_score(a.list) > lists.top_score(b.list);
  });
  const auto equal = [&](const Entry& a, const Entry& b) {
    return a.key == b.key && std::ranges::equal(lists.members(a.list), lists.members(b.list));
  };
  entries.erase(std::unique(entries.begin(), entries.end(), equal), entries.end());
  return entries;
}

std::vector<std::uint32_t> lists_of(const std::vector<Entry>& entries) {
  std::vector<std::uint32_t> lists(entries.size());
  std::ranges::transform(entries, lists.begin(), &Entry::list);
  return lists;
}

}  // namespace

void NumberedLists::reserve(std::size_t lists, std::size_t ids) {
  top_scores_.reserve(lists);
  ends_.reserve(lists);
  members_.reserve(ids);
}

void NumberedLists::append(const SeedLists& lists, const IdNumbers& numbers) {
  const std::size_t begin = members_.size();
  members_.resize(begin + lists.all_ids().size());
  numbers.numbers_of(lists.all_ids(), std::span(members_).subspan(begin));
  std::size_t end = begin;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    end += lists.ids(list).size();
    ends_.push_back(end);
    top_scores_.push_back(lists.top_score(list));
  }
}

std::vector<std::uint32_t> distinct_lists(const NumberedLists& lists) {
  return lists_of(distinct_entries(lists));
}

std::vector<std::uint32_t> canonical_order(const NumberedLists& lists) {
  std::vector<Entry> entries = distinct_entries(lists);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + lookahead < entries.size()) lists.expect_score(entries[i + lookahead].list);
    entries[i].key = score_key(lists.top_score(entries[i].list));
  }
  sort_by_key(entries, [&](const Entry& a, const Entry& b) {
    if (a.first != b.first) return a.first < b.first;
    return members_precede(lists, a, b);
  });
  return lists_of(entries);
}

}  // namespace qdedup::miner
