#include "miner/numbered_lists.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <xxhash.h>

namespace qdedup::miner {
namespace {

// A list during sorting. Contains what usually decides, so that the list itself is rarely read.
struct Entry {
  std::uint64_t key;
  std::uint32_t first;  // member
  std::uint32_t list;
};

std::uint64_t hash(std::span<const std::uint32_t> members) {
  return XXH3_64bits(members.data(), members.size_bytes());
}

// Distributes entries with different keys over ranges, in place (P. M. McIlroy, K. Bostic, M. D. McIlroy,
// "Engineering radix sort", Computing Systems 6(1), 1993). Returns the ends of the ranges: for few entries
// with uniform keys, about 16 entries per range, otherwise 2,048 ranges.
std::vector<std::uint32_t> spread(std::span<Entry> entries) {
  const auto [least, greatest] = std::ranges::minmax(entries, {}, &Entry::key);
  const std::uint64_t lowest = least.key;
  const int range_bits = std::clamp(static_cast<int>(std::bit_width(entries.size())) - 4, 1, 11);
  const int shift = std::max(0, static_cast<int>(std::bit_width(greatest.key - lowest)) - range_bits);
  const auto range_of = [&](const Entry& entry) { return (entry.key - lowest) >> shift; };

  std::vector<std::uint32_t> begins((std::size_t{1} << range_bits) + 1);
  for (const Entry& entry : entries) ++begins[range_of(entry) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> next = begins;
  for (std::size_t range = 0; range + 1 < begins.size(); ++range) {
    while (next[range] < begins[range + 1]) {
      Entry& entry = entries[next[range]];
      const std::size_t home = range_of(entry);
      std::swap(entry, entries[next[home]++]);
    }
  }
  begins.erase(begins.begin());
  return begins;
}

bool have_one_key(std::span<const Entry> entries) {
  return std::ranges::all_of(entries, [&](const Entry& entry) { return entry.key == entries.front().key; });
}

// Sorts by key, and entries with equal keys by `ties_precede`.
template <class TiesPrecede>
void sort_by_key(std::span<Entry> entries, const WorkShare& share, const TiesPrecede& ties_precede) {
  constexpr std::size_t few = 64;
  if (entries.size() < few || have_one_key(entries)) {
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key < b.key : ties_precede(a, b);
    });
    return;
  }
  const std::vector<std::uint32_t> ends = spread(entries);
  share(ends.size(), [&](std::size_t range) {
    const std::size_t begin = range == 0 ? 0 : ends[range - 1];
    sort_by_key(entries.subspan(begin, ends[range] - begin), one_by_one, ties_precede);
  });
}

// Calls work(begin, end) for slices of `count` items.
template <class Work>
void in_slices(std::size_t count, const WorkShare& share, const Work& work) {
  constexpr std::size_t slice = 1U << 16U;
  share((count + slice - 1) / slice,
        [&](std::size_t i) { work(i * slice, std::min(count, (i + 1) * slice)); });
}

bool members_precede(const NumberedLists& lists, const Entry& a, const Entry& b) {
  if (a.list == b.list) return false;
  return std::ranges::lexicographical_compare(lists.members(a.list), lists.members(b.list));
}

// The distinct lists, ordered by hash; of equal ones, that with the highest top score.
std::vector<Entry> distinct_entries(const NumberedLists& lists, const WorkShare& share) {
  std::vector<Entry> entries(lists.size());
  in_slices(entries.size(), share, [&](std::size_t begin, std::size_t end) {
    for (std::size_t list = begin; list < end; ++list) {
      const auto members = lists.members(list);
      entries[list] = {hash(members), members.front(), static_cast<std::uint32_t>(list)};
    }
  });
  sort_by_key(entries, share, [&](const Entry& a, const Entry& b) {
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
  std::uint64_t end = begin;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    end += lists.ids(list).size();
    ends_.append(end);
    top_scores_.push_back(lists.top_score(list));
  }
}

std::vector<std::uint32_t> distinct_lists(const NumberedLists& lists, const WorkShare& share) {
  return lists_of(distinct_entries(lists, share));
}

std::vector<std::uint32_t> canonical_order(const NumberedLists& lists, const WorkShare& share) {
  std::vector<Entry> entries = distinct_entries(lists, share);
  in_slices(entries.size(), share, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + lookahead < end) lists.expect_score(entries[i + lookahead].list);
      entries[i].key = score_key(lists.top_score(entries[i].list));
    }
  });
  sort_by_key(entries, share, [&](const Entry& a, const Entry& b) {
    if (a.first != b.first) return a.first < b.first;
    return members_precede(lists, a, b);
  });
  return lists_of(entries);
}

}  // namespace qdedup::miner
