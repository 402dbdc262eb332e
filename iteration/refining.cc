#include "iteration/refining.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "db/sketches.h"
#include "iteration/batch_texts.h"
#include "iteration/concerned_clusters.h"
#include "iteration/free_clusters.h"
#include "iteration/parallel.h"
#include "iteration/sketch_table.h"
#include "iteration/unit_decision.h"
#include "iteration/unit_work.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {
namespace {

// What a question of a unit takes, with its text and answer, and what becomes of it.
constexpr std::uint64_t bytes_per_question = 900;

// What a question takes that waits for its text.
constexpr std::uint64_t bytes_per_candidate = 32;

constexpr std::uint64_t most_questions_at_once = 2'000'000;

// Of so many units, one tells how far it is.
constexpr std::size_t units_per_tell = 64;

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
        most_candidates_(means.memory_bytes / (8 * bytes_per_candidate)),
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
  Status refine_concerned(std::span<const ClusterUnit> units) {
    while (!units.empty()) {
      ConcernedClusters part(clusters_, open_, units, ids_at_once_);
      const Result<std::optional<SketchTable>> sketches =
          sketches_of([&](const auto& take) { take(part.all_ids()); });
      if (!sketches.ok()) return sketches.error();
      if (*sketches) part.look_at(**sketches, settings_, threads_, progress_);
      std::size_t clusters = 0;
      for (const ClusterUnit& unit : units.first(part.size())) clusters += unit.size();
      QDEDUP_TRY(decide_all(part, clusters));
      units = units.subspan(part.size());
    }
    return {};
  }

  // Clusters are looked at in parts, but then the bank is read for the texts of them all.
  Status refine_free(const std::vector<ClusterUnit>& concerned) {
    std::vector<bool> left_out(clusters_.size());
    for (const ClusterUnit& unit : concerned) {
      for (const std::size_t cluster : unit) left_out[cluster] = true;
    }
    FreeClusters left;
    std::size_t clusters = 0;  // in `left`, nothing of which may be left of many
    for (std::size_t begin = 0; begin < clusters_.size();) {
      const std::size_t end = end_of_part(begin);
      QDEDUP_TRY(find_candidates(begin, end, left_out, left));
      for (std::size_t cluster = begin; cluster < end; ++cluster) clusters += left_out[cluster] ? 0 : 1;
      begin = end;
      if (end < clusters_.size() && left.questions() < most_candidates_) continue;
      refined_.missing += left.missing();
      QDEDUP_TRY(decide_all(left, std::exchange(clusters, 0)));
      left = FreeClusters();
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

  // Adds what is left of the clusters from `begin` to `end` - 1.
  Status find_candidates(std::size_t begin, std::size_t end, const std::vector<bool>& left_out,
                         FreeClusters& left) {
    Result<std::optional<SketchTable>> sketches = sketches_of([&](const auto& take) {
      for (std::size_t cluster = begin; cluster < end; ++cluster) {
        if (!left_out[cluster]) take(clusters_.ids(cluster));
      }
    });
    if (!sketches.ok()) return std::move(sketches).error();
    left.append(FreeClusters(clusters_, begin, end, left_out, *sketches, settings_, threads_, progress_));
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
    Result<SketchTable> table = SketchTable::read(bank_, std::move(numbers), threads_, progress_);
    if (!table.ok()) return std::move(table).error();
    return std::optional(*std::move(table));
  }

  // Where the batches end into which units are cut, so that the texts of each fit the memory.
  template <class Units>
  [[nodiscard]] std::vector<std::size_t> batch_ends(const Units& units) const {
    std::vector<std::size_t> ends;
    std::size_t questions = 0;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      questions += units.questions(unit);
      if (questions < questions_at_once_ && unit + 1 < units.size()) continue;
      ends.push_back(unit + 1);
      questions = 0;
    }
    return ends;
  }

  // `units` are ConcernedClusters or FreeClusters, and stand for so many clusters.
  template <class Units>
  Status decide_all(const Units& units, std::size_t clusters) {
    const std::vector<std::size_t> ends = batch_ends(units);
    BatchTexts texts;
    for (std::size_t unit = 0, batch = 0; batch < ends.size(); ++batch) {
      texts.begin_batch();
      for (; unit < ends[batch]; ++unit)
        units.for_each_candidate(unit, [&](QuestionId id) { texts.want(id); });
    }
    QDEDUP_TRY(texts.read(bank_, threads_, progress_));
    for (std::size_t unit = 0, batch = 0; batch < ends.size(); ++batch) {
      const auto tell = [&, first = unit](std::size_t decided) {
        const std::size_t done = decided_ + clusters * (first + decided) / units.size();
        progress_("refine", done, clusters_.size(), "clusters");
      };
      tell(0);
      std::vector<UnitWork> works;
      for (; unit < ends[batch]; ++unit) works.push_back(units.work(unit));
      QDEDUP_TRY(texts.fetch(batch, works));
      decide(works, tell);
    }
    decided_ += clusters;
    progress_("refine", decided_, clusters_.size(), "clusters");
    return {};
  }

  // Calls tell(unit) now and then.
  template <class Tell>
  void decide(std::vector<UnitWork>& batch, const Tell& tell) {
    std::vector<UnitOutcome> outcomes(batch.size());
    const auto decide_one = [&](std::size_t unit) {
      outcomes[unit] = decide_unit(batch[unit], past_.rejected, characters_, settings_);
      batch[unit] = {};
    };
    parallel_for(batch.size(), threads_, decide_one, [&](std::size_t unit) {
      if (unit % units_per_tell == 0) tell(unit);
    });
    for (UnitOutcome& outcome : outcomes) {
      append(refined_.deletions, std::move(outcome.deletions));
      append(refined_.repointed, std::move(outcome.repointed));
      append(refined_.further, std::move(outcome.further));
      refined_.missing += outcome.missing;
      refined_.held += outcome.held;
    }
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
  std::uint64_t most_candidates_;    // before their texts are read
  const Progress& progress_;
  std::uint64_t sketches_in_bank_ = 0;
  std::size_t decided_ = 0;  // clusters
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
