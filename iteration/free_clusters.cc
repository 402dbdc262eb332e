#include "iteration/free_clusters.h"

#include <algorithm>
#include <utility>

#include "iteration/candidates.h"
#include "iteration/parallel.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t clusters_per_block = 4096;

}  // namespace

FreeClusters::FreeClusters(const ClusterList& clusters, std::size_t begin, std::size_t end,
                           const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                           const refine::DuplicateSettings& settings, unsigned threads) {
  const std::size_t blocks = (end - begin + clusters_per_block - 1) / clusters_per_block;
  std::vector<FreeClusters> parts(blocks, FreeClusters());
  parallel_for(blocks, threads, [&](std::size_t block) {
    const std::size_t first = begin + block * clusters_per_block;
    for (std::size_t cluster = first; cluster < std::min(end, first + clusters_per_block); ++cluster) {
      if (!left_out[cluster]) parts[block].add(clusters.ids(cluster), sketches, settings);
    }
  });
  for (FreeClusters& part : parts) {
    append(part);
    part = FreeClusters();
  }
}

std::span<const QuestionId> FreeClusters::ids(std::size_t cluster) const {
  const std::size_t begin = cluster == 0 ? 0 : ends_[cluster - 1];
  return std::span(ids_).subspan(begin, ends_[cluster] - begin);
}

void FreeClusters::add(std::span<const QuestionId> ids, const std::optional<SketchTable>& sketches,
                       const refine::DuplicateSettings& settings) {
  if (!sketches) {
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    ends_.push_back(ids_.size());
    return;
  }
  const std::vector<std::optional<QuestionSketch>> seen = sketches->of(ids);
  const std::vector<std::uint32_t> groups = candidate_groups(seen, settings);
  std::vector<std::pair<std::uint32_t, QuestionId>> left;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    missing_ += seen[i] ? 0 : 1;
    if (groups[i] != 0) left.emplace_back(groups[i], ids[i]);
  }
  std::ranges::sort(left);
  for (std::size_t i = 0; i < left.size(); ++i) {
    ids_.push_back(left[i].second);
    if (i + 1 == left.size() || left[i + 1].first != left[i].first) ends_.push_back(ids_.size());
  }
}

void FreeClusters::append(const FreeClusters& others) {
  const std::size_t offset = ids_.size();
  ids_.insert(ids_.end(), others.ids_.begin(), others.ids_.end());
  for (const std::size_t end : others.ends_) ends_.push_back(offset + end);
  missing_ += others.missing_;
}

}  // namespace qdedup::iteration
