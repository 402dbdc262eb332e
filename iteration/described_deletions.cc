#include "iteration/described_deletions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/question_id.h"
#include "base/sort_unique.h"
#include "db/text_hash.h"
#include "iteration/parallel.h"
#include "refine/contrast.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t deletions_per_batch = 20'000;

// The questions that some deletions name, by id.
using Texts = std::vector<db::BankQuestion>;

Result<Texts> read_texts(std::span<const refine::Deletion> deletions, db::Bank& bank) {
  std::vector<QuestionId> ids;
  for (const refine::Deletion& deletion : deletions) {
    ids.push_back(deletion.question);
    ids.push_back(deletion.keeper);
  }
  sort_unique(ids);
  Texts texts;
  texts.reserve(ids.size());
  for (const QuestionId id : ids) {
    Result<std::optional<db::BankQuestion>> found = bank.find(id);
    if (!found.ok()) return std::move(found).error();
    if (!found->has_value())
      return Error{ErrorCode::internal, std::to_string(id) + ": left the bank meanwhile"};
    texts.push_back(**std::move(found));
  }
  return texts;
}

const db::BankQuestion& text_of(const Texts& texts, QuestionId id) {
  return *std::ranges::lower_bound(texts, id, {}, &db::BankQuestion::id);
}

db::NewDeletion described(const db::BankQuestion& question, const db::BankQuestion& keeper,
                          const refine::CharacterCounts& characters,
                          const refine::DuplicateSettings& settings) {
  const refine::Comparison comparison =
      refine::compare(refine::parts_of(question.text), refine::parts_of(keeper.text), settings);
  const refine::Contrast contrast =
      refine::contrast({question.text, question.answer}, {keeper.text, keeper.answer}, characters);
  return {question.id,
          keeper.id,
          comparison.distance,
          comparison.length,
          std::string(name(contrast.confidence)),
          joined_reasons(contrast),
          db::text_hash(question.text),
          db::text_hash(keeper.text)};
}

}  // namespace

Result<std::vector<db::NewDeletion>> described_deletions(std::span<const refine::Deletion> deletions,
                                                         db::Bank& bank,
                                                         const refine::CharacterCounts& characters,
                                                         const refine::DuplicateSettings& settings,
                                                         unsigned threads) {
  std::vector<db::NewDeletion> all(deletions.size());
  for (std::size_t begin = 0; begin < deletions.size(); begin += deletions_per_batch) {
    const auto batch = deletions.subspan(begin, std::min(deletions_per_batch, deletions.size() - begin));
    const Result<Texts> texts = read_texts(batch, bank);
    if (!texts.ok()) return texts.error();
    parallel_for(batch.size(), thread_count(threads), [&](std::size_t i) {
      all[begin + i] = described(text_of(*texts, batch[i].question), text_of(*texts, batch[i].keeper),
                                 characters, settings);
    });
  }
  return all;
}

}  // namespace qdedup::iteration
