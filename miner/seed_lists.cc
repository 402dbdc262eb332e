#include "miner/seed_lists.h"

#include <algorithm>
#include <cstdint>

#include <xxhash.h>

namespace qdedup::miner {
namespace {

// A list as it is sorted. What mostly decides stands in here, so that the lists themselves are seldom looked
// at.
struct Entry {
  std::uint64_t key;
  double top_score;
  std::size_t list;
};

std::uint64_t hash(std::span<const QuestionId> ids) { return XXH3_64bits(ids.data(), ids.size_bytes()); }

bool ids_precede(const SeedLists& lists, const Entry& a, const Entry& b) {
  return std::ranges::lexicographical_compare(lists.ids(a.list), lists.ids(b.list));
}

// The distinct lists, each with its highest top score and its hash as key.
std::vector<Entry> distinct_lists(const SeedLists& lists) {
  std::vector<Entry> entries;
  entries.reserve(lists.size());
  for (std::size_t list = 0; list < lists.size(); ++list) {
    entries.push_back({hash(lists.ids(list)), lists.top_score(list), list});
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    if (ids_precede(lists, a, b)) return true;
    return !ids_precede(lists, b, a) && a.top_score > b.top_score;
  });
  const auto equal = [&](const Entry& a, const Entry& b) {
    return a.key == b.key && std::ranges::equal(lists.ids(a.list), lists.ids(b.list));
  };
  entries.erase(std::unique(entries.begin(), entries.end(), equal), entries.end());
  return entries;
}

}  // namespace

void SeedLists::append(double top_score, std::span<const QuestionId> ids) {
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  ends_.push_back(ids_.size());
  top_scores_.push_back(top_score);
}

void SeedLists::append(const SeedLists& others) {
  const std::size_t offset = ids_.size();
  ids_.insert(ids_.end(), others.ids_.begin(), others.ids_.end());
  top_scores_.insert(top_scores_.end(), others.top_scores_.begin(), others.top_scores_.end());
  for (const std::size_t end : others.ends_) ends_.push_back(offset + end);
}

void SeedLists::clear() {
  top_scores_.clear();
  ends_.clear();
  ids_.clear();
}

std::span<const QuestionId> SeedLists::ids(std::size_t list) const {
  const std::size_t begin = list == 0 ? 0 : ends_[list - 1];
  return std::span(ids_).subspan(begin, ends_[list] - begin);
}

std::vector<std::size_t> canonical_order(const SeedLists& lists) {
  std::vector<Entry> entries = distinct_lists(lists);
  for (Entry& entry : entries) entry.key = static_cast<std::uint64_t>(lists.ids(entry.list).front());
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.top_score != b.top_score) return a.top_score > b.top_score;
    if (a.key != b.key) return a.key < b.key;
    return ids_precede(lists, a, b);
  });
  std::vector<std::size_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) order.push_back(entry.list);
  return order;
}

}  // namespace qdedup::miner
