#include "iteration/refining.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <unordered_map>
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
  std::uint64_t fingerprint = 0;
  std::uint64_t hash = 0;    // of the text, where it was read
  bool has_partner = false;  // another question of the unit has the same fingerprint, so the text is needed
  std::string text;
  std::optional<std::string> answer;
  refine::Parts parts;
};

// One unit on its way through the steps: gathered, read, decided.
struct UnitWork {
  std::vector<std::vector<QuestionId>> clusters;
  std::vector<refine::Deletion> open;
  std::unordered_map<QuestionId, UnitQuestion> questions;  // those in the bank
  std::vector<QuestionId> ids;                             // all that are concerned, ascending
  refine::KeeperChoice choice;
  std::vector<db::NewDeletion> deletions;
  std::vector<db::NewDeletion> repointed;
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

Status read_fingerprints(UnitWork& work, db::Bank& bank) {
  QDEDUP_TRY(bank.fingerprints(work.ids, [&](std::size_t position, std::uint64_t fingerprint) {
    work.questions[work.ids[position]].fingerprint = fingerprint;
  }));
  std::unordered_map<std::uint64_t, std::size_t> population;
  for (const auto& [id, question] : work.questions) ++population[question.fingerprint];
  for (auto& [id, question] : work.questions) question.has_partner = population[question.fingerprint] > 1;
  return {};
}

Status read_texts(UnitWork& work, db::Bank& bank) {
  for (const QuestionId id : work.ids) {
    const auto question = work.questions.find(id);
    if (question == work.questions.end() || !question->second.has_partner) continue;
    Result<std::optional<db::BankQuestion>> found = bank.find(id);
    if (!found.ok()) return std::move(found).error();
    if (!found->has_value()) continue;
    question->second.text = std::move((*found)->text);
    question->second.answer = std::move((*found)->answer);
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
    for (auto& [id, question] : work_.questions) {
      if (!question.has_partner) continue;
      question.hash = db::text_hash(question.text);
      question.parts = refine::parts_of(question.text);
    }
    const refine::KeeperOracle oracle = {
        [this](QuestionId id) { return work_.questions.contains(id); },
        [this](QuestionId a, QuestionId b) { return duplicates(a, b); },
        [this](QuestionId question, QuestionId keeper) { return is_rejected(question, keeper); },
    };
    work_.choice = refine::choose_keepers(work_.clusters, work_.open, oracle);
    for (const refine::Deletion& deletion : work_.choice.deletions)
      work_.deletions.push_back(described(deletion));
    for (const refine::Deletion& deletion : work_.choice.repointed)
      work_.repointed.push_back(described(deletion));
    work_.questions.clear();
  }

 private:
  [[nodiscard]] bool duplicates(QuestionId a, QuestionId b) const {
    const auto first = work_.questions.find(a);
    const auto second = work_.questions.find(b);
    if (first == work_.questions.end() || second == work_.questions.end()) return false;
    if (first->second.fingerprint != second->second.fingerprint) return false;
    return refine::compare(first->second.parts, second->second.parts, settings_).duplicate;
  }

  [[nodiscard]] bool is_rejected(QuestionId question, QuestionId keeper) const {
    const auto pair_of = [](const RejectedPair& pair) { return std::pair(pair.question, pair.keeper); };
    const std::span pairs(std::ranges::lower_bound(rejected_, std::pair(question, keeper), {}, pair_of),
                          std::ranges::upper_bound(rejected_, std::pair(question, keeper), {}, pair_of));
    return std::ranges::any_of(pairs, [&](const RejectedPair& pair) {
      return pair.question_hash == work_.questions.at(question).hash &&
             pair.keep_hash == work_.questions.at(keeper).hash;
    });
  }

  [[nodiscard]] db::NewDeletion described(const refine::Deletion& deletion) const {
    const UnitQuestion& question = work_.questions.at(deletion.question);
    const UnitQuestion& keeper = work_.questions.at(deletion.keeper);
    const refine::Comparison comparison = refine::compare(question.parts, keeper.parts, settings_);
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
      UnitWork work = gather(units[next], clusters, open);
      QDEDUP_TRY(read_fingerprints(work, bank));
      QDEDUP_TRY(read_texts(work, bank));
      questions += work.ids.size();
      batch.push_back(std::move(work));
    }
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
