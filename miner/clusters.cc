#include "miner/clusters.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "miner/union_find.h"

namespace qdedup::miner {
namespace {

constexpr std::size_t lists_per_batch = 256;
constexpr std::size_t batches_per_progress = 1024;
constexpr std::size_t lookahead = 16;

// Some lists, members one after another.
struct ListBatch {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> ends;
};

// Fetches the lists order[begin, end), so that what is joined next lies side by side.
void gather(const NumberedLists& lists, std::span<const std::uint32_t> order, std::size_t begin,
            std::size_t end, ListBatch& batch) {
  batch.members.clear();
  batch.ends.clear();
  for (std::size_t i = begin; i < end; ++i) {
    if (i + 2 * lookahead < order.size()) lists.expect(order[i + 2 * lookahead]);
    if (i + lookahead < order.size()) lists.expect_members(order[i + lookahead]);
    const std::span<const std::uint32_t> members = lists.members(order[i]);
    batch.members.insert(batch.members.end(), members.begin(), members.end());
    batch.ends.push_back(batch.members.size());
  }
}

void join_batch(const ListBatch& batch, SizeCappedUnionFind& sets, MergeCounts& counts) {
  using Join = SizeCappedUnionFind::Join;
  const std::vector<std::uint32_t>& members = batch.members;
  for (std::size_t i = 0; i < std::min(lookahead, members.size()); ++i) sets.expect(members[i]);
  std::size_t begin = 0;
  for (const std::size_t end : batch.ends) {
    for (std::size_t member = begin; member < end; ++member) {
      if (member + lookahead < members.size()) sets.expect(members[member + lookahead]);
      if (member + lookahead / 2 < members.size()) sets.expect_parent(members[member + lookahead / 2]);
      if (member == begin) continue;
      const Join join = sets.join(members[begin], members[member]);
      counts.joins += join == Join::joined ? 1 : 0;
      counts.refused_joins += join == Join::refused ? 1 : 0;
    }
    begin = end;
  }
}

// Joins the distinct lists in canonical order.
SizeCappedUnionFind join_lists(const NumberedLists& lists, std::size_t ids, const MergeSettings& settings,
                               const Progress& progress, MergeCounts& counts) {
  const std::vector<std::uint32_t> order = canonical_order(lists);
  counts.distinct_lists = order.size();
  SizeCappedUnionFind sets(ids, settings.max_cluster_size);
  ListBatch batch;
  for (std::size_t begin = 0; begin < order.size(); begin += lists_per_batch) {
    gather(lists, order, begin, std::min(order.size(), begin + lists_per_batch), batch);
    join_batch(batch, sets, counts);
    if (begin / lists_per_batch % batches_per_progress == 0) progress("merge", begin, order.size(), "lists");
  }
  return sets;
}

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

// By element: the number of its set among the sets of two elements or more, or no_group. Sets are numbered by
// their smallest element.
std::vector<std::uint32_t> group_numbers(SizeCappedUnionFind& sets, std::size_t size) {
  std::vector<std::uint32_t> groups(size, no_group);
  std::uint32_t group_count = 0;
  for (std::uint32_t element = 0; element < size; ++element) {
    if (element + lookahead < size) sets.expect_parent(static_cast<std::uint32_t>(element + lookahead));
    const std::uint32_t root = sets.find(element);
    if (sets.set_size(root) < 2) continue;
    std::uint32_t& group_of_root = groups[root];
    if (group_of_root == no_group) group_of_root = group_count++;
    groups[element] = group_of_root;
  }
  return groups;
}

// Where each group ends when groups stand one after another.
std::vector<std::uint32_t> group_ends(std::span<const std::uint32_t> groups) {
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t group : groups) {
    if (group == no_group) continue;
    if (group >= ends.size()) ends.resize(group + 1);
    ++ends[group];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  return ends;
}

}  // namespace

std::span<const QuestionId> Clusters::ids(std::size_t cluster) const {
  const std::size_t begin = cluster == 0 ? 0 : ends_[cluster - 1];
  return std::span(ids_).subspan(begin, ends_[cluster] - begin);
}

std::size_t Clusters::bytes() const {
  return ids_.size() * sizeof(QuestionId) + ends_.size() * sizeof(std::uint32_t);
}

Clusters merge(NumberedLists lists, const IdNumbers& numbers, const MergeSettings& settings,
               const Progress& progress) {
  Clusters clusters;
  MergeCounts& counts = clusters.counts_;
  counts.lists = lists.size();
  counts.ids = numbers.size();
  SizeCappedUnionFind sets = join_lists(lists, numbers.size(), settings, progress, counts);
  lists = {};
  counts.clusters = counts.ids - counts.joins;

  const std::vector<std::uint32_t> groups = group_numbers(sets, numbers.size());
  clusters.ends_ = group_ends(groups);
  if (clusters.ends_.empty()) return clusters;
  clusters.ids_.resize(clusters.ends_.back());
  std::vector<std::uint32_t> next(clusters.ends_.size());
  std::copy(clusters.ends_.begin(), clusters.ends_.end() - 1, next.begin() + 1);
  std::size_t number = 0;
  numbers.for_each([&](QuestionId id) {
    const std::uint32_t group = groups[number++];
    if (group != no_group) clusters.ids_[next[group]++] = id;
  });
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    counts.largest_cluster = std::max<std::uint64_t>(counts.largest_cluster, clusters.ids(i).size());
  }
  return clusters;
}

Clusters merge(const SeedLists& lists, const MergeSettings& settings) {
  IdNumbers numbers(lists.all_ids().size());
  numbers.add(lists.all_ids());
  numbers.number_ids();
  NumberedLists numbered;
  numbered.reserve(lists.size(), lists.all_ids().size());
  numbered.append(lists, numbers);
  return merge(std::move(numbered), numbers, settings, no_progress);
}

}  // namespace qdedup::miner
