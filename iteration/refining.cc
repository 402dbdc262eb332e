#include "iteration/refining.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "base/sort_unique.h"
#include "db/text_hash.h"
#include "iteration/cluster_units.h"
#include "iteration/parallel.h"
#include "refine/contrast.h"
#include "refine/keepers.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t questions_per_batch = 200'000;

// A question of the bank as far as a unit needs it.
struct UnitQuestion {
  bool in_bank = false;
  std::uint64_t fingerprint = 0;
  std::uint64_t hash = 0;    // of the text, where it was read
  bool has_partner = false;  // another question of the unit has the same fingerprint, so the text is needed
  std::string text;
  std::optional<std::string> answer;
  std::optional<refine::Comparand> comparand;  // where the text was read
};

// One unit on its way through the steps: gathered, read, decided.
struct UnitWork {
  std::vector<std::vector<QuestionId>> clusters;
  std::vector<refine::Deletion> open;
  std::vector<QuestionId> ids;          // all that are concerned, ascending
  std::vector<UnitQuestion> questions;  // by position in `ids`
  refine::KeeperChoice choice;
  std::vector<db::NewDeletion> deletions;
  std::vector<db::NewDeletion> repointed;

  // `id` is among `ids`.
  [[nodiscard]] const UnitQuestion& question(QuestionId id) const {
    const auto found = std::ranges::lower_bound(ids, id);
    assert(found != ids.end() && *found == id);
    return questions[static_cast<std::size_t>(found - ids.begin())];
  }
};

bool by_question(const refine::Deletion& a, const refine::Deletion& b) { return a.question < b.question; }

// The clusters of a unit, the open deletions that concern them, and every id that may be asked for.
UnitWork gather(const ClusterUnit& unit, std::span<const std::span<const QuestionId>> clusters,
                const DeletionIndex& open) {
  UnitWork work;
  for (const std::size_t cluster : unit) {
    work.clusters.emplace_back(clusters[cluster].begin(), clusters[cluster].end());
    work.ids.insert(work.ids.end(), clusters[cluster].begin(), clusters[cluster].end());
  }
  if (open.all().empty()) {
    sort_unique(work.ids);
    return work;
  }
  std::vector<QuestionId> keepers = work.ids;
  for (const QuestionId id : work.ids) {
    for (const refine::Deletion& deletion : open.of_question(id)) keepers.push_back(deletion.keeper);
  }
  sort_unique(keepers);
  for (const QuestionId keeper : keepers) {
    const auto dependants = open.of_keeper(keeper);
    work.open.insert(work.open.end(), dependants.begin(), dependants.end());
    work.ids.push_back(keeper);
    for (const refine::Deletion& dependant : dependants) work.ids.push_back(dependant.question);
  }
  std::ranges::sort(work.open, by_question);
  sort_unique(work.ids);
  return work;
}

// A question, and where a unit keeps it.
struct Wanted {
  QuestionId id;
  UnitQuestion* question;
};

// The questions of all units that `want` says yes to, by id: rows that are read in this order lie side by
// side.
template <class Want>
std::vector<Wanted> wanted_of(std::vector<UnitWork>& units, const Want& want) {
  std::vector<Wanted> all;
  for (UnitWork& unit : units) {
    for (std::size_t i = 0; i < unit.ids.size(); ++i) {
      if (want(unit.questions[i])) all.push_back({unit.ids[i], &unit.questions[i]});
    }
  }
  std::ranges::sort(all, {}, &Wanted::id);
  return all;
}

void find_partners(UnitWork& unit) {
  std::vector<std::uint64_t> fingerprints;
  for (const UnitQuestion& question : unit.questions) {
    if (question.in_bank) fingerprints.push_back(question.fingerprint);
  }
  std::ranges::sort(fingerprints);
  for (UnitQuestion& question : unit.questions) {
    const auto first = std::ranges::lower_bound(fingerprints, question.fingerprint);
    question.has_partner = question.in_bank && fingerprints.end() - first > 1 && first[1] == *first;
  }
}

Status read_fingerprints(std::vector<UnitWork>& units, db::Bank& bank) {
  for (UnitWork& unit : units) unit.questions.resize(unit.ids.size());
  const std::vector<Wanted> wanted = wanted_of(units, [](const UnitQuestion&) { return true; });
  std::vector<QuestionId> ids(wanted.size());
  std::ranges::transform(wanted, ids.begin(), &Wanted::id);
  QDEDUP_TRY(bank.fingerprints(ids, [&](std::size_t position, std::uint64_t fingerprint) {
    wanted[position].question->in_bank = true;
    wanted[position].question->fingerprint = fingerprint;
  }));
  for (UnitWork& unit : units) find_partners(unit);
  return {};
}

Status read_texts(std::vector<UnitWork>& units, db::Bank& bank) {
  for (const Wanted& wanted : wanted_of(units, [](const UnitQuestion& q) { return q.has_partner; })) {
    Result<std::optional<db::BankQuestion>> found = bank.find(wanted.id);
    if (!found.ok()) return std::move(found).error();
    if (!found->has_value()) continue;
    wanted.question->text = std::move((*found)->text);
    wanted.question->answer = std::move((*found)->answer);
  }
  return {};
}

// Decides one unit. Pure: it may run beside other units.
class UnitDecision {
 public:
  UnitDecision(UnitWork& work, const std::vector<RejectedPair>& rejected,
               const refine::CharacterCounts& characters, const refine::DuplicateSettings& settings)
      : work_(work), rejected_(rejected), characters_(characters), settings_(settings) {}

  void decide() {
    for (UnitQuestion& question : work_.questions) {
      if (!question.has_partner) continue;
      question.hash = db::text_hash(question.text);
      question.comparand.emplace(refine::parts_of(question.text));
    }
    const refine::KeeperOracle oracle = {
        [this](QuestionId id) { return work_.question(id).in_bank; },
        [this](QuestionId a, QuestionId b) { return duplicates(a, b); },
        [this](QuestionId question, QuestionId keeper) {
          return is_rejected(rejected_, hashed(question), hashed(keeper));
        },
    };
    work_.choice = refine::choose_keepers(work_.clusters, work_.open, oracle);
    for (const refine::Deletion& deletion : work_.choice.deletions)
      work_.deletions.push_back(described(deletion));
    for (const refine::Deletion& deletion : work_.choice.repointed)
      work_.repointed.push_back(described(deletion));
    work_.questions = {};
  }

 private:
  [[nodiscard]] bool duplicates(QuestionId a, QuestionId b) const {
    const UnitQuestion& first = work_.question(a);
    const UnitQuestion& second = work_.question(b);
    if (!first.in_bank || !second.in_bank || first.fingerprint != second.fingerprint) return false;
    return refine::compare(*first.comparand, *second.comparand, settings_).duplicate;
  }

  [[nodiscard]] HashedQuestion hashed(QuestionId id) const { return {id, work_.question(id).hash}; }

  [[nodiscard]] db::NewDeletion described(const refine::Deletion& deletion) const {
    const UnitQuestion& question = work_.question(deletion.question);
    const UnitQuestion& keeper = work_.question(deletion.keeper);
    const refine::Comparison comparison = refine::compare(*question.comparand, *keeper.comparand, settings_);
    assert(comparison.duplicate);
    const refine::Contrast contrast = refine::contrast(contrasted(question), contrasted(keeper), characters_);
    return {deletion.question,
            deletion.keeper,
            comparison.distance,
            comparison.length,
            std::string(name(contrast.confidence)),
            joined_reasons(contrast),
            question.hash,
            keeper.hash};
  }

  static refine::QuestionText contrasted(const UnitQuestion& question) {
    return {question.text, question.answer};
  }

  UnitWork& work_;
  const std::vector<RejectedPair>& rejected_;
  const refine::CharacterCounts& characters_;
  const refine::DuplicateSettings& settings_;
};

void append(std::vector<db::NewDeletion>& all, std::vector<db::NewDeletion>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Result<Refined> refine_clusters(std::span<const std::span<const QuestionId>> clusters,
                                const Reconsidered& past, db::Bank& bank,
                                const refine::CharacterCounts& characters,
                                const refine::DuplicateSettings& settings, unsigned threads,
                                const Progress& progress) {
  const DeletionIndex open(past.open);
  const std::vector<ClusterUnit> units = units_of(clusters, open.all());
  Refined refined;
  for (std::size_t next = 0; next < units.size();) {
    std::vector<UnitWork> batch;
    for (std::size_t questions = 0; next < units.size() && questions < questions_per_batch; ++next) {
      batch.push_back(gather(units[next], clusters, open));
      questions += batch.back().ids.size();
    }
    QDEDUP_TRY(read_fingerprints(batch, bank));
    QDEDUP_TRY(read_texts(batch, bank));
    parallel_for(batch.size(), thread_count(threads), [&](std::size_t i) {
      UnitDecision(batch[i], past.rejected, characters, settings).decide();
    });
    for (UnitWork& work : batch) {
      append(refined.deletions, std::move(work.deletions));
      append(refined.repointed, std::move(work.repointed));
      refined.missing += work.choice.missing;
      refined.held += work.choice.held;
    }
    progress("refine", next, units.size(), "clusters");
  }
  std::ranges::sort(refined.deletions, {}, &db::NewDeletion::question);
  std::ranges::sort(refined.repointed, {}, &db::NewDeletion::question);
  return refined;
}

}  // namespace qdedup::iteration
