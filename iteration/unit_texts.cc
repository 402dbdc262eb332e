#include "iteration/unit_texts.h"

#include <algorithm>
#include <cstddef>

#include "db/question_texts.h"

namespace qdedup::iteration {
namespace {

// A question, and where a unit keeps it.
struct Wanted {
  QuestionId id;
  UnitQuestion* question;
};

std::vector<Wanted> wanted_of(std::span<UnitWork> units) {
  std::vector<Wanted> all;
  for (UnitWork& unit : units) {
    for (std::size_t i = 0; i < unit.ids.size(); ++i) {
      if (unit.questions[i].is_candidate) all.push_back({unit.ids[i], &unit.questions[i]});
    }
  }
  std::ranges::sort(all, {}, &Wanted::id);
  return all;
}

}  // namespace

std::string_view TextBlocks::keep(std::string_view text) {
  constexpr std::size_t block_bytes = 1U << 20U;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
    blocks_.emplace_back().reserve(std::max(block_bytes, text.size()));
  }
  std::string& block = blocks_.back();
  block += text;
  return std::string_view(block).substr(block.size() - text.size());
}

// Units share no question, so each is wanted once.
Status read_unit_texts(std::span<UnitWork> units, db::Bank& bank, TextBlocks& texts) {
  const std::vector<Wanted> wanted = wanted_of(units);
  std::vector<QuestionId> ids(wanted.size());
  std::ranges::transform(wanted, ids.begin(), &Wanted::id);
  QDEDUP_TRY(db::read_texts(bank, ids, [&](std::size_t position, std::string_view text, auto answer) {
    UnitQuestion& question = *wanted[position].question;
    question.text = texts.keep(text);
    if (answer) question.answer = texts.keep(*answer);
  }));
  for (const Wanted& each : wanted) {
    each.question->has_text = !each.question->text.empty();
    each.question->is_candidate = each.question->has_text;
  }
  return {};
}

}  // namespace qdedup::iteration
