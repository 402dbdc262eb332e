#include "iteration/unit_texts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Units share no question, so each is wanted once.
Status read_unit_texts(std::span<UnitWork> units, db::Bank& bank) {
  const std::vector<Wanted> wanted = wanted_of(units);
  std::vector<QuestionId> ids(wanted.size());
  std::ranges::transform(wanted, ids.begin(), &Wanted::id);
  QDEDUP_TRY(db::read_texts(bank, ids, [&](std::size_t position, std::string_view text, auto answer) {
    UnitQuestion& question = *wanted[position].question;
    question.text = text;
    if (answer) question.answer = std::string(*answer);
  }));
  for (const Wanted& each : wanted) {
    each.question->has_text = !each.question->text.empty();
    each.question->is_candidate = each.question->has_text;
  }
  return {};
}

}  // namespace qdedup::iteration
