#include "miner/clusters.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "miner/id_index.h"
#include "miner/union_find.h"

namespace qdedup::miner {
namespace {

// The distinct lists in canonical order, with dense numbers in place of ids.
struct NumberedLists {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> ends;
  std::vector<QuestionId> ids;  // by number
};

// Tells of every so many lists.
constexpr std::size_t lists_between = std::size_t{1} << 16U;

NumberedLists number_lists(const SeedLists& lists, const Progress& progress) {
  NumberedLists numbered;
  IdIndex index;
  const std::vector<std::size_t> order = canonical_order(lists);
  for (const std::size_t list : order) {
    if (numbered.ends.size() % lists_between == 0) {
      progress("number", numbered.ends.size(), order.size(), "lists");
    }
    for (const QuestionId id : lists.ids(list)) numbered.members.push_back(index.insert(id));
    numbered.ends.push_back(numbered.members.size());
  }
  numbered.ids = std::move(index).ids();
  return numbered;
}

void join_lists(const NumberedLists& lists, SizeCappedUnionFind& sets, MergeCounts& counts,
                const Progress& progress) {
  std::size_t begin = 0;
  for (std::size_t list = 0; list < lists.ends.size(); ++list) {
    if (list % lists_between == 0) progress("join", list, lists.ends.size(), "lists");
    const std::size_t end = lists.ends[list];
    for (std::size_t member = begin + 1; member < end; ++member) {
      using Join = SizeCappedUnionFind::Join;
      const Join join = sets.join(lists.members[begin], lists.members[member]);
      counts.joins += join == Join::joined ? 1 : 0;
      counts.refused_joins += join == Join::refused ? 1 : 0;
    }
    begin = end;
  }
}

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

// By element: the number of its set among the sets of two elements or more, or no_group.
std::vector<std::uint32_t> group_numbers(SizeCappedUnionFind& sets, std::size_t size) {
  std::vector<std::uint32_t> groups(size, no_group);
  std::uint32_t group_count = 0;
  for (std::uint32_t element = 0; element < size; ++element) {
    if (sets.set_size(element) < 2) continue;
    std::uint32_t& group_of_root = groups[sets.find(element)];
    if (group_of_root == no_group) group_of_root = group_count++;
    groups[element] = group_of_root;
  }
  return groups;
}

// Ids laid out group by group: group g stands from begins[g] to begins[g + 1].
struct GroupedIds {
  std::vector<QuestionId> ids;
  std::vector<std::size_t> begins;

  [[nodiscard]] std::span<QuestionId> group(std::size_t g) {
    return std::span(ids).subspan(begins[g], begins[g + 1] - begins[g]);
  }
};

// A counting sort by group.
GroupedIds group_ids(const std::vector<QuestionId>& ids, const std::vector<std::uint32_t>& groups) {
  GroupedIds grouped{{}, {0}};
  for (const std::uint32_t group : groups) {
    if (group == no_group) continue;
    if (group + 2 > grouped.begins.size()) grouped.begins.resize(group + 2);
    ++grouped.begins[group + 1];
  }
  std::partial_sum(grouped.begins.begin(), grouped.begins.end(), grouped.begins.begin());
  grouped.ids.resize(grouped.begins.back());
  std::vector<std::size_t> next = grouped.begins;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (groups[i] != no_group) grouped.ids[next[groups[i]]++] = ids[i];
  }
  return grouped;
}

// The groups, ids ascending within each, by their smallest id.
std::vector<std::span<const QuestionId>> in_order(GroupedIds& grouped) {
  std::vector<std::span<const QuestionId>> groups;
  groups.reserve(grouped.begins.size() - 1);
  for (std::size_t g = 0; g + 1 < grouped.begins.size(); ++g) {
    const std::span<QuestionId> group = grouped.group(g);
    std::ranges::sort(group);
    groups.emplace_back(group);
  }
  std::ranges::sort(groups, {}, [](std::span<const QuestionId> group) { return group.front(); });
  return groups;
}

}  // namespace

std::span<const QuestionId> Clusters::ids(std::size_t cluster) const {
  const std::size_t begin = cluster == 0 ? 0 : ends_[cluster - 1];
  return std::span(ids_).subspan(begin, ends_[cluster] - begin);
}

Clusters merge(const SeedLists& lists, const MergeSettings& settings, const Progress& progress) {
  const NumberedLists numbered = number_lists(lists, progress);
  SizeCappedUnionFind sets(numbered.ids.size(), settings.max_cluster_size);

  Clusters clusters;
  MergeCounts& counts = clusters.counts_;
  counts.lists = lists.size();
  counts.distinct_lists = numbered.ends.size();
  counts.ids = numbered.ids.size();
  join_lists(numbered, sets, counts, progress);
  counts.clusters = counts.ids - counts.joins;

  GroupedIds grouped = group_ids(numbered.ids, group_numbers(sets, numbered.ids.size()));
  clusters.ids_.reserve(grouped.ids.size());
  for (const std::span<const QuestionId> group : in_order(grouped)) {
    clusters.ids_.insert(clusters.ids_.end(), group.begin(), group.end());
    clusters.ends_.push_back(clusters.ids_.size());
    counts.largest_cluster = std::max<std::uint64_t>(counts.largest_cluster, group.size());
  }
  return clusters;
}

}  // namespace qdedup::miner
