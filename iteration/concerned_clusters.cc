#include "iteration/concerned_clusters.h"

#include "iteration/candidates.h"
#include "iteration/parallel.h"

namespace qdedup::iteration {

ConcernedClusters::ConcernedClusters(const ClusterList& clusters, const DeletionIndex& open,
                                     std::span<const ClusterUnit> units, std::size_t questions_at_once)
    : clusters_(clusters), open_(open), units_(units) {
  while (ends_.size() < units.size() && ids_.size() < questions_at_once) {
    const UnitWork work = concerned_work(units[ends_.size()], clusters, open);
    ids_.insert(ids_.end(), work.ids.begin(), work.ids.end());
    ends_.push_back(ids_.size());
  }
  seen_.resize(ids_.size());
}

void ConcernedClusters::look_at(const SketchTable& sketches, const refine::DuplicateSettings& settings,
                                unsigned threads, const Progress& progress) {
  const auto look = [&](std::size_t unit) {
    const std::vector<std::optional<QuestionSketch>> found = sketches.of(ids(unit));
    const std::vector<std::uint32_t> groups = candidate_groups(found, settings);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Seen with_text = groups[i] != 0 ? Seen::candidate : Seen::no_candidate;
      seen_[begin(unit) + i] = found[i] ? with_text : Seen::no_text;
    }
  };
  parallel_for(size(), threads, look,
               [&](std::size_t unit) { progress("candidates", begin(unit), ids_.size(), "questions"); });
}

UnitWork ConcernedClusters::work(std::size_t unit) const {
  UnitWork work = concerned_work(units_[unit], clusters_, open_);
  for (std::size_t i = 0; i < work.questions.size(); ++i) {
    const Seen seen = seen_[begin(unit) + i];
    work.questions[i].has_text = seen != Seen::no_text;
    work.questions[i].is_candidate = seen == Seen::candidate;
  }
  return work;
}

}  // namespace qdedup::iteration
