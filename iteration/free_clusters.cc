#include "iteration/free_clusters.h"

#include <algorithm>
#include <utility>

#include "iteration/candidates.h"
#include "iteration/parallel.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t clusters_per_block = 512;

}  // namespace

FreeClusters::FreeClusters(const ClusterList& clusters, std::size_t begin, std::size_t end,
                           const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                           const refine::DuplicateSettings& settings, unsigned threads,
                           const Progress& progress) {
  const std::size_t blocks = (end - begin + clusters_per_block - 1) / clusters_per_block;
  std::vector<FreeClusters> parts(blocks);
  const auto look = [&](std::size_t block) {
    const std::size_t first = begin + block * clusters_per_block;
    const std::size_t last = std::min(end, first + clusters_per_block);
    parts[block].add(clusters, first, last, left_out, sketches, settings);
  };
  parallel_for(blocks, threads, look, [&](std::size_t block) {
    progress("candidates", begin + block * clusters_per_block, clusters.size(), "clusters");
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

// The sketches of all clusters are looked up together.
void FreeClusters::add(const ClusterList& clusters, std::size_t begin, std::size_t end,
                       const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                       const refine::DuplicateSettings& settings) {
  std::vector<QuestionId> ids;
  std::vector<std::size_t> ends;
  for (std::size_t cluster = begin; cluster < end; ++cluster) {
    if (left_out[cluster]) continue;
    ids.insert(ids.end(), clusters.ids(cluster).begin(), clusters.ids(cluster).end());
    ends.push_back(ids.size());
  }
  if (!sketches) {
    ids_ = std::move(ids);
    ends_ = std::move(ends);
    return;
  }
  const std::vector<std::optional<QuestionSketch>> seen = sketches->of(ids);
  std::size_t first = 0;
  for (const std::size_t last : ends) {
    add(std::span(ids).subspan(first, last - first), std::span(seen).subspan(first, last - first), settings);
    first = last;
  }
}

void FreeClusters::add(std::span<const QuestionId> ids, std::span<const std::optional<QuestionSketch>> seen,
                       const refine::DuplicateSettings& settings) {
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
