#include "iteration/refining.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "db/sketches.h"
#include "iteration/cluster_candidates.h"
#include "iteration/sketch_table.h"
#include "iteration/text_prefetch.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {
namespace {

// Memory for a question of a component, with its text and answer, and for its result.
constexpr std::uint64_t bytes_per_question = 900;

// Memory for a question that is waiting for its text.
constexpr std::uint64_t bytes_per_candidate = 32;

constexpr std::uint64_t max_questions_at_once = 2'000'000;

// Progress is reported once per this many components.
constexpr std::size_t components_per_tell = 64;

// Reading a text by its id costs about as much as reading this many sketches.
constexpr std::uint64_t sketches_per_text = 1000;

class Refining {
 public:
  Refining(const engine::ClusterList& clusters, const engine::Past& past, db::Bank& bank,
           const engine::Measure& measure, const config::ResourceSettings& resources,
           const Progress& progress)
      : clusters_(clusters),
        past_(past),
        bank_(bank),
        measure_(measure),
        threads_(thread_count(resources.threads)),
        memory_bytes_(resources.memory_bytes),
        ids_at_once_(resources.memory_bytes / SketchTable::bytes_per_id + 1),
        questions_at_once_(std::min(resources.memory_bytes / bytes_per_question + 1, max_questions_at_once)),
        max_candidates_(resources.memory_bytes / (8 * bytes_per_candidate)),
        progress_(progress) {}

  Result<refine::AnnotatedOutcome> run() {
    QDEDUP_ASSIGN_OR_RETURN(sketches_in_bank_, db::Sketches(bank_).entries());
    const std::vector<engine::ClusterComponent> components =
        engine::dependent_components(clusters_, past_.open);
    QDEDUP_TRY(refine_dependent(components));
    QDEDUP_TRY(refine_independent(components));
    outcome_.sort();
    return std::move(outcome_);
  }

 private:
  Status refine_dependent(std::span<const engine::ClusterComponent> components) {
    while (!components.empty()) {
      DependentClusters part(clusters_, past_.open, components, ids_at_once_);
      QDEDUP_ASSIGN_OR_RETURN(const std::optional<SketchTable> sketches,
                              sketches_of([&](const auto& take) { take(part.all_ids()); }));
      if (sketches) part.look_at(*sketches, measure_.settings.duplicates, threads_, progress_);
      std::size_t clusters = 0;
      for (const engine::ClusterComponent& component : components.first(part.size()))
        clusters += component.size();
      QDEDUP_TRY(decide_all(part, clusters));
      components = components.subspan(part.size());
    }
    return {};
  }

  // Finds candidates in parts of the clusters, but reads the texts of all of them in one pass.
  Status refine_independent(const std::vector<engine::ClusterComponent>& dependent) {
    std::vector<bool> left_out(clusters_.size());
    for (const engine::ClusterComponent& component : dependent) {
      for (const std::size_t cluster : component) left_out[cluster] = true;
    }
    IndependentClusters left;
    std::size_t clusters = 0;  // clusters in `left`, many of which may be empty
    for (std::size_t begin = 0; begin < clusters_.size();) {
      const std::size_t end = end_of_part(begin);
      QDEDUP_TRY(find_candidates(begin, end, left_out, left));
      for (std::size_t cluster = begin; cluster < end; ++cluster) clusters += left_out[cluster] ? 0 : 1;
      begin = end;
      if (end < clusters_.size() && left.questions() < max_candidates_) continue;
      outcome_.missing += left.missing();
      QDEDUP_TRY(decide_all(left, std::exchange(clusters, 0)));
      left = IndependentClusters();
    }
    return {};
  }

  // The end of a range of clusters from `begin` that fits into memory, but at least one.
  [[nodiscard]] std::size_t end_of_part(std::size_t begin) const {
    std::size_t end = begin;
    for (std::size_t ids = 0; end < clusters_.size() && ids < ids_at_once_; ++end)
      ids += clusters_.ids(end).size();
    return end;
  }

  // Adds the candidates of the clusters from `begin` to `end` - 1.
  Status find_candidates(std::size_t begin, std::size_t end, const std::vector<bool>& left_out,
                         IndependentClusters& left) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<SketchTable> sketches, sketches_of([&](const auto& take) {
                              for (std::size_t cluster = begin; cluster < end; ++cluster) {
                                if (!left_out[cluster]) take(clusters_.ids(cluster));
                              }
                            }));
    left.append(IndependentClusters(clusters_, begin, end, left_out, sketches, measure_.settings.duplicates,
                                    threads_, progress_));
    return {};
  }

  // The sketches of the ids that `each(take)` passes to `take`; none if reading all texts is cheaper.
  template <class Each>
  Result<std::optional<SketchTable>> sketches_of(const Each& each) {
    std::uint64_t count = 0;
    each([&](std::span<const QuestionId> ids) { count += ids.size(); });
    if (count * sketches_per_text < sketches_in_bank_) return std::optional<SketchTable>();
    miner::IdNumbers numbers({count, count + sketches_in_bank_}, memory_bytes_ / 8);
    each([&](std::span<const QuestionId> ids) { numbers.add(ids); });
    numbers.number_ids();
    QDEDUP_ASSIGN_OR_RETURN(SketchTable table,
                            SketchTable::read(bank_, std::move(numbers), threads_, progress_));
    return std::optional(std::move(table));
  }

  // The ends of batches of components whose texts fit into memory.
  template <class Components>
  [[nodiscard]] std::vector<std::size_t> batch_ends(const Components& components) const {
    std::vector<std::size_t> ends;
    std::size_t questions = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
      questions += components.questions(i);
      if (questions < questions_at_once_ && i + 1 < components.size()) continue;
      ends.push_back(i + 1);
      questions = 0;
    }
    return ends;
  }

  // `components` are DependentClusters or IndependentClusters, and represent `clusters` clusters.
  template <class Components>
  Status decide_all(const Components& components, std::size_t clusters) {
    const std::vector<std::size_t> ends = batch_ends(components);
    TextPrefetch texts;
    for (std::size_t i = 0, batch = 0; batch < ends.size(); ++batch) {
      texts.begin_batch();
      for (; i < ends[batch]; ++i) components.for_each_candidate(i, [&](QuestionId id) { texts.want(id); });
    }
    QDEDUP_TRY(texts.read(bank_, threads_, progress_));
    for (std::size_t i = 0, batch = 0; batch < ends.size(); ++batch) {
      const auto tell = [&, first = i](std::size_t decided) {
        const std::size_t done = decided_ + clusters * (first + decided) / components.size();
        progress_("refine", done, clusters_.size(), "clusters");
      };
      tell(0);
      std::vector<engine::Component> with_texts;
      for (; i < ends[batch]; ++i) with_texts.push_back(components.component(i));
      QDEDUP_TRY(texts.fetch(batch, with_texts));
      outcome_.append(engine::decide(std::move(with_texts), past_, measure_, share(tell),
                                     [this] { bank_.report_activity(); }));
    }
    decided_ += clusters;
    progress_("refine", decided_, clusters_.size(), "clusters");
    return {};
  }

  // Runs on all threads; calls tell(i) now and then.
  template <class Tell>
  [[nodiscard]] miner::WorkShare share(const Tell& tell) const {
    return [this, &tell](std::size_t count, const std::function<void(std::size_t)>& work) {
      parallel_for(count, threads_, work, [&](std::size_t i) {
        if (i % components_per_tell == 0) tell(i);
      });
    };
  }

  const engine::ClusterList& clusters_;
  const engine::Past& past_;
  db::Bank& bank_;
  const engine::Measure& measure_;
  unsigned threads_;
  std::uint64_t memory_bytes_;
  std::uint64_t ids_at_once_;        // whose sketches fit into memory
  std::uint64_t questions_at_once_;  // of components being decided
  std::uint64_t max_candidates_;     // before their texts are read
  const Progress& progress_;
  std::uint64_t sketches_in_bank_ = 0;
  std::size_t decided_ = 0;  // clusters
  refine::AnnotatedOutcome outcome_;
};

}  // namespace

Result<refine::AnnotatedOutcome> refine_clusters(const engine::ClusterList& clusters,
                                                 const engine::Past& past, db::Bank& bank,
                                                 const engine::Measure& measure,
                                                 const config::ResourceSettings& resources,
                                                 const Progress& progress) {
  return Refining(clusters, past, bank, measure, resources, progress).run();
}

}  // namespace qdedup::iteration
