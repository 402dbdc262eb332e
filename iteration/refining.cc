#include "iteration/refining.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "db/sketches.h"
#include "iteration/candidates.h"
#include "iteration/free_clusters.h"
#include "iteration/parallel.h"
#include "iteration/sketch_table.h"
#include "iteration/unit_decision.h"
#include "iteration/unit_texts.h"
#include "iteration/unit_work.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {
namespace {

// What a question of a unit takes, with its text and answer, and what becomes of it.
constexpr std::uint64_t bytes_per_question = 900;

// Nothing is told of how far it is until so many are decided.
constexpr std::uint64_t most_questions_at_once = 2'000'000;

// Reading a text by its id costs about as much as reading so many sketches.
constexpr std::uint64_t sketches_per_text = 1000;

void append(std::vector<db::NewDeletion>& all, std::vector<db::NewDeletion>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

class Refining {
 public:
  Refining(const ClusterList& clusters, const Reconsidered& past, db::Bank& bank,
           const refine::CharacterCounts& characters, const refine::DuplicateSettings& settings,
           const RefiningMeans& means, const Progress& progress)
      : clusters_(clusters),
        past_(past),
        open_(past.open),
        bank_(bank),
        characters_(characters),
        settings_(settings),
        threads_(thread_count(means.threads)),
        memory_bytes_(means.memory_bytes),
        ids_at_once_(means.memory_bytes / SketchTable::bytes_per_id + 1),
        questions_at_once_(std::min(means.memory_bytes / bytes_per_question + 1, most_questions_at_once)),
        progress_(progress) {}

  Result<Refined> run() {
    const Result<std::uint64_t> sketches = db::Sketches(bank_).entries();
    if (!sketches.ok()) return sketches.error();
    sketches_in_bank_ = *sketches;
    const std::vector<ClusterUnit> units = concerned_units(clusters_, open_);
    QDEDUP_TRY(refine_concerned(units));
    QDEDUP_TRY(refine_free(units));
    std::ranges::sort(refined_.deletions, {}, &db::NewDeletion::question);
    std::ranges::sort(refined_.repointed, {}, &db::NewDeletion::question);
    std::ranges::stable_sort(refined_.further, {}, &db::NewDeletion::question);
    return std::move(refined_);
  }

 private:
  Status refine_concerned(const std::vector<ClusterUnit>& units) {
    for (std::size_t next = 0; next < units.size();) {
      std::vector<UnitWork> batch;
      for (std::size_t ids = 0; next < units.size() && ids < questions_at_once_; ++next) {
        batch.push_back(concerned_work(units[next], clusters_, open_));
        ids += batch.back().ids.size();
        done_ += units[next].size();
      }
      QDEDUP_TRY(find_candidates(batch));
      QDEDUP_TRY(decide(batch));
      progress_("refine", done_, clusters_.size(), "clusters");
    }
    return {};
  }

  Status refine_free(const std::vector<ClusterUnit>& concerned) {
    std::vector<bool> left_out(clusters_.size());
    for (const ClusterUnit& unit : concerned) {
      for (const std::size_t cluster : unit) left_out[cluster] = true;
    }
    for (std::size_t begin = 0; begin < clusters_.size();) {
      const std::size_t end = end_of_part(begin);
      QDEDUP_TRY(refine_part(begin, end, left_out));
      begin = end;
    }
    return {};
  }

  // Of clusters from `begin` on, as many as there is memory for, one at least.
  [[nodiscard]] std::size_t end_of_part(std::size_t begin) const {
    std::size_t end = begin;
    for (std::size_t ids = 0; end < clusters_.size() && ids < ids_at_once_; ++end)
      ids += clusters_.ids(end).size();
    return end;
  }

  Status refine_part(std::size_t begin, std::size_t end, const std::vector<bool>& left_out) {
    const auto left = [&]() -> Result<FreeClusters> {
      Result<std::optional<SketchTable>> sketches = sketches_of([&](const auto& take) {
        for (std::size_t cluster = begin; cluster < end; ++cluster) {
          if (!left_out[cluster]) take(clusters_.ids(cluster));
        }
      });
      if (!sketches.ok()) return std::move(sketches).error();
      return FreeClusters(clusters_, begin, end, left_out, *sketches, settings_, threads_);
    }();
    if (!left.ok()) return left.error();
    refined_.missing += left->missing();
    for (std::size_t next = 0; next < left->size();) {
      std::vector<UnitWork> batch;
      for (std::size_t questions = 0; next < left->size() && questions < questions_at_once_; ++next) {
        batch.push_back(free_work(left->ids(next)));
        questions += left->ids(next).size();
      }
      QDEDUP_TRY(decide(batch));
      progress_("refine", done_ + (end - begin) * next / left->size(), clusters_.size(), "clusters");
    }
    done_ += end - begin;
    return {};
  }

  // The sketches of the ids that `each(take)` hands to `take`; none where these are so few that it is cheaper
  // to read all texts.
  template <class Each>
  Result<std::optional<SketchTable>> sketches_of(const Each& each) {
    std::uint64_t count = 0;
    each([&](std::span<const QuestionId> ids) { count += ids.size(); });
    if (count * sketches_per_text < sketches_in_bank_) return std::optional<SketchTable>();
    miner::IdNumbers numbers(count, memory_bytes_ / 8);
    each([&](std::span<const QuestionId> ids) { numbers.add(ids); });
    numbers.number_ids();
    Result<SketchTable> table = SketchTable::read(bank_, std::move(numbers));
    if (!table.ok()) return std::move(table).error();
    return std::optional(*std::move(table));
  }

  Status find_candidates(std::vector<UnitWork>& batch) {
    const Result<std::optional<SketchTable>> sketches = sketches_of([&](const auto& take) {
      for (const UnitWork& work : batch) take(work.ids);
    });
    if (!sketches.ok()) return sketches.error();
    if (!*sketches) return {};
    parallel_for(batch.size(), threads_, [&](std::size_t unit) {
      UnitWork& work = batch[unit];
      const std::vector<std::optional<QuestionSketch>> seen = (*sketches)->of(work.ids);
      const std::vector<std::uint32_t> groups = candidate_groups(seen, settings_);
      for (std::size_t i = 0; i < seen.size(); ++i) {
        work.questions[i].has_text = seen[i].has_value();
        work.questions[i].is_candidate = groups[i] != 0;
      }
    });
    return {};
  }

  Status decide(std::vector<UnitWork>& batch) {
    TextBlocks texts;
    QDEDUP_TRY(read_unit_texts(batch, bank_, texts));
    std::vector<UnitOutcome> outcomes(batch.size());
    parallel_for(batch.size(), threads_, [&](std::size_t unit) {
      outcomes[unit] = decide_unit(batch[unit], past_.rejected, characters_, settings_);
      batch[unit] = {};
    });
    for (UnitOutcome& outcome : outcomes) {
      append(refined_.deletions, std::move(outcome.deletions));
      append(refined_.repointed, std::move(outcome.repointed));
      append(refined_.further, std::move(outcome.further));
      refined_.missing += outcome.missing;
      refined_.held += outcome.held;
    }
    return {};
  }

  const ClusterList& clusters_;
  const Reconsidered& past_;
  DeletionIndex open_;
  db::Bank& bank_;
  const refine::CharacterCounts& characters_;
  const refine::DuplicateSettings& settings_;
  unsigned threads_;
  std::uint64_t memory_bytes_;
  std::uint64_t ids_at_once_;        // whose sketches are in memory
  std::uint64_t questions_at_once_;  // of units that are being decided
  const Progress& progress_;
  std::uint64_t sketches_in_bank_ = 0;
  std::size_t done_ = 0;  // clusters
  Refined refined_;
};

}  // namespace

Result<Refined> refine_clusters(const ClusterList& clusters, const Reconsidered& past, db::Bank& bank,
                                const refine::CharacterCounts& characters,
                                const refine::DuplicateSettings& settings, const RefiningMeans& means,
                                const Progress& progress) {
  return Refining(clusters, past, bank, characters, settings, means, progress).run();
}

}  // namespace qdedup::iteration
