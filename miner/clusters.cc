#include "miner/clusters.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "miner/id_numbers.h"
#include "miner/ordered_parts.h"
#include "miner/union_find.h"

namespace qdedup::miner {
namespace {

constexpr std::size_t lists_per_batch = 256;
constexpr std::size_t batches_per_progress = 1024;

// Some lists, with their members concatenated.
struct ListBatch {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> ends;
};

// Copies the lists order[begin, end) next to each other.
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

constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

// For each element: the number of its set. Sets are numbered by their smallest element.
std::vector<std::uint32_t> group_numbers(SizeCappedUnionFind& sets, std::size_t size) {
  std::vector<std::uint32_t> groups(size, no_group);
  std::uint32_t group_count = 0;
  for (std::uint32_t element = 0; element < size; ++element) {
    if (element + lookahead < size) sets.expect_parent(static_cast<std::uint32_t>(element + lookahead));
    std::uint32_t& group_of_root = groups[sets.find(element)];
    if (group_of_root == no_group) group_of_root = group_count++;
    groups[element] = group_of_root;
  }
  return groups;
}

}  // namespace

std::map<std::uint64_t, std::uint64_t> Clusters::sizes() const {
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (std::size_t i = 0; i < size(); ++i) ++sizes[ids(i).size()];
  return sizes;
}

MergeCounts counts_of_groups(std::uint64_t questions, const std::map<std::uint64_t, std::uint64_t>& sizes) {
  MergeCounts counts{.ids = questions};
  for (const auto& [size, groups] : sizes) counts.clusters += groups;
  if (!sizes.empty()) counts.largest_cluster = sizes.rbegin()->first;
  return counts;
}

std::span<const QuestionId> Clusters::ids(std::size_t cluster) const {
  const std::size_t begin = cluster == 0 ? 0 : ends_[cluster - 1];
  return std::span(ids_).subspan(begin, ends_[cluster] - begin);
}

std::size_t Clusters::bytes() const {
  return ids_.size() * sizeof(QuestionId) + ends_.size() * sizeof(std::uint32_t);
}

// The state of a merge.
class Merge {
 public:
  Merge(const ListSource& source, const MergeSettings& settings, const MergeBudget& budget,
        const Progress& progress)
      : source_(source),
        settings_(settings),
        budget_(budget),
        progress_(progress),
        numbers_({budget.id_occurrences, budget.id_occurrences}, budget.memory_bytes / 8) {}

  Result<Clusters> run() {
    QDEDUP_TRY(number_ids());
    std::optional<SizeCappedUnionFind> sets;
    const auto join_part = [&](const NumberedLists& lists) {
      const std::vector<std::uint32_t> order = canonical_order(lists, budget_.share);
      if (!sets) sets.emplace(numbers_.size(), settings_.max_cluster_size);
      join_lists(lists, order, *sets);
    };
    QDEDUP_TRY(for_each_part(source_, numbers_, sums_, parts(), budget_.share, progress_, join_part));
    counts().clusters = counts().ids - counts().joins;
    if (sets) collect(*sets);
    return std::move(clusters_);
  }

 private:
  MergeCounts& counts() { return clusters_.counts_; }

  Status number_ids() {
    QDEDUP_TRY(source_([this](const SeedLists& lists) {
      numbers_.add(lists.all_ids());
      sums_.lists += lists.size();
      sums_.ids += lists.all_ids().size();
      progress_("read", sums_.ids, budget_.id_occurrences, "ids");
    }));
    numbers_.number_ids();
    counts().lists = sums_.lists;
    counts().ids = numbers_.size();
    return {};
  }

  static constexpr std::uint64_t bytes_per_list = 32;  // while they are sorted
  static constexpr std::uint64_t bytes_per_ordered_list = 16;
  static constexpr std::uint64_t max_ids = std::uint64_t{1} << 31U;  // in one part

  [[nodiscard]] std::uint64_t member_bytes() const { return sums_.ids * sizeof(std::uint32_t); }
  [[nodiscard]] std::uint64_t set_bytes() const { return numbers_.size() * sizeof(std::int32_t); }

  // Whether all lists can be sorted at once. The sets of the union-find use the memory that sorting has
  // freed.
  [[nodiscard]] bool fit_at_once() const {
    const std::uint64_t sorting = sums_.lists * bytes_per_list;
    const std::uint64_t joining = sums_.lists * bytes_per_ordered_list + set_bytes();
    const std::uint64_t needed = numbers_.bytes() + member_bytes() + std::max(sorting, joining);
    return needed <= budget_.memory_bytes && sums_.ids <= max_ids;
  }

  // The number of parts in which the lists are sorted.
  [[nodiscard]] std::size_t parts() const {
    if (fit_at_once()) return 1;
    constexpr std::uint64_t most = 256;
    const std::uint64_t others = numbers_.bytes() + set_bytes();
    const std::uint64_t left = budget_.memory_bytes - std::min(budget_.memory_bytes, others);
    const std::uint64_t room = std::max({left, budget_.memory_bytes / 4, std::uint64_t{1}});
    const std::uint64_t needed = sums_.lists * bytes_per_list + member_bytes();
    return std::max(std::clamp<std::uint64_t>((needed + room - 1) / room, 1, most), sums_.ids / max_ids + 1);
  }

  // Joins distinct lists in canonical order.
  void join_lists(const NumberedLists& lists, const std::vector<std::uint32_t>& order,
                  SizeCappedUnionFind& sets) {
    counts().distinct_lists += order.size();
    ListBatch batch;
    for (std::size_t begin = 0; begin < order.size(); begin += lists_per_batch) {
      gather(lists, order, begin, std::min(order.size(), begin + lists_per_batch), batch);
      join_batch(batch, sets, counts());
      lists_joined_ += batch.ends.size();
      if (begin / lists_per_batch % batches_per_progress == 0)
        progress_("merge", lists_joined_, sums_.lists, "lists");
    }
  }

  // Puts the ids of each set next to each other.
  void collect(SizeCappedUnionFind& sets) {
    const std::vector<std::uint32_t> groups = group_numbers(sets, numbers_.size());
    std::vector<std::uint32_t>& ends = clusters_.ends_;
    ends.resize(counts().clusters);
    for (const std::uint32_t group : groups) ++ends[group];
    std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::uint32_t{0});
    clusters_.ids_.resize(groups.size());
    std::size_t number = 0;
    numbers_.for_each([&](QuestionId id) { clusters_.ids_[ends[groups[number++]]++] = id; });
    std::uint64_t& largest = counts().largest_cluster;
    for (std::size_t i = 0; i < clusters_.size(); ++i)
      largest = std::max<std::uint64_t>(largest, clusters_.ids(i).size());
  }

  const ListSource& source_;
  const MergeSettings& settings_;
  const MergeBudget& budget_;
  const Progress& progress_;
  IdNumbers numbers_;
  ListSums sums_;
  std::size_t lists_joined_ = 0;
  Clusters clusters_;
};

Result<Clusters> merge(const ListSource& source, const MergeSettings& settings, const MergeBudget& budget,
                       const Progress& progress) {
  return Merge(source, settings, budget, progress).run();
}

Clusters merge(const SeedLists& lists, const MergeSettings& settings) {
  const ListSource source = [&](const auto& take) {
    take(lists);
    return Status();
  };
  return *merge(source, settings, {.id_occurrences = lists.all_ids().size()}, no_progress);
}

}  // namespace qdedup::miner
