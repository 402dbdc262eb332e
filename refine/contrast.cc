#include "refine/contrast.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "refine/dropped_notation.h"
#include "refine/normalise.h"
#include "refine/pair_features.h"
#include "refine/parts.h"
#include "refine/risk_model.h"
#include "refine/subjects.h"
#include "refine/text_forms.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// Hardly a question is that long, and reading its words takes time.
constexpr std::size_t max_contrasted_bytes = 24'576;

// Does white space there part numbers, as in "3 5" and "3 -5"?
bool parts_numbers(std::u32string_view before, std::u32string_view behind) {
  if (!before.empty() && is_digit(before.back())) {
    if (is_one_of(behind.front(), U"+-")) behind.remove_prefix(1);
    return !behind.empty() && is_digit(behind.front());
  }
  return false;
}

// An answer in normal form without white space, but between numbers, or where it marks a pause.
std::u32string comparable(std::u32string_view normal, bool has_pauses) {
  std::u32string text;
  bool is_spaced = false;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    const bool was_spaced = std::exchange(is_spaced, is_white_space(normal[i]));
    if (is_spaced) continue;
    const std::u32string_view behind = normal.substr(i);
    if (was_spaced && !text.empty() && (has_pauses || parts_numbers(text, behind))) text += U' ';
    text += normal[i];
  }
  return text;
}

// None if one of them has no answer, or nothing but white space.
std::optional<bool> have_same_answer(const QuestionText& a, const QuestionText& b) {
  if (!a.answer || !b.answer) return std::nullopt;
  if (*a.answer == *b.answer) return true;
  Subjects subjects;
  for (const QuestionText* question : {&a, &b}) subjects.add(normalise(question->text));
  const TextForms answer_a(*a.answer);
  const TextForms answer_b(*b.answer);
  const std::u32string x = comparable(answer_a.normal(), subjects.pauses);
  const std::u32string y = comparable(answer_b.normal(), subjects.pauses);
  if (x.empty() || y.empty()) return std::nullopt;
  return x == y && same_dropped_notation(answer_a, answer_b);
}

void add(std::string_view kind, std::vector<Finding>& findings) {
  findings.push_back({std::string(kind), {0, 0}, {0, 0}});
}

// The differences that are reasons by themselves are reasons, if there are any; else all are.
void judge(PairFeatures features, const RiskModel& model, Contrast& contrast) {
  contrast.risk = model.risk(features);
  std::vector<Finding>& findings = features.findings;
  const bool safe = model.confidence(features) == Confidence::safe;
  if (!safe && findings.empty()) add("stem-differs", findings);
  const bool any_gives_reason = std::ranges::any_of(findings, is_substantial);
  for (Finding& finding : findings) {
    const bool is_reason = !safe && (!any_gives_reason || is_substantial(finding));
    (is_reason ? contrast.reasons : contrast.harmless).push_back(std::move(finding));
  }
}

void contrast_texts(const TextForms& question, const TextForms& keeper, const CharacterCounts& bank,
                    const RiskModel& model, Contrast& contrast) {
  if (!same_dropped_notation(question, keeper)) add("notation", contrast.reasons);
  if (question.parts().signs != keeper.parts().signs) add("signs-differ", contrast.reasons);
  if (std::max(question.utf8().size(), keeper.utf8().size()) > max_contrasted_bytes &&
      kept_characters(question) != kept_characters(keeper))
    return add("too-long", contrast.reasons);
  judge(pair_features(question, keeper, bank), model, contrast);
}

}  // namespace

Contrast contrast(const QuestionText& question, const QuestionText& keeper, const CharacterCounts& bank,
                  const ContrastSettings& settings) {
  Contrast contrast;
  const TextForms of_question(question.text);
  std::optional<TextForms> other;
  if (keeper.text != question.text) other.emplace(keeper.text);
  const TextForms& of_keeper = other ? *other : of_question;
  contrast_texts(of_question, of_keeper, bank, model_of(settings), contrast);
  if (const std::optional<bool> same = have_same_answer(question, keeper))
    add(*same ? "same-answer" : answer_differs, *same ? contrast.harmless : contrast.reasons);
  const MissingParts missing = missing_parts(of_question, of_keeper, settings);
  if (missing.needs_figure) add("needs-figure", contrast.reasons);
  if (missing.too_short) add("too-short", contrast.reasons);
  if (is_doubtful_beside_words(contrast)) contrast.risk = std::max(contrast.risk, least_doubtful_risk);
  contrast.confidence = contrast.reasons.empty() ? Confidence::safe : Confidence::doubtful;
  return contrast;
}

bool answers_differ(const QuestionText& a, const QuestionText& b) {
  return !have_same_answer(a, b).value_or(true);
}

std::span<const std::string> finding_kinds() {
  static const std::vector<std::string> kinds = {
      "negation",       "polarity",          "number-word",  "number-moved", "unit",        "quantity",
      "role-swap",      "renamed-part",      "renamed",      "repeated",     "asks-else",   "stem-differs",
      "option-differs", "options-reordered", "filler",       "synonym",      "misspelling", "answer-differs",
      "notation",       "signs-differ",      "needs-figure", "too-short",    "too-long",    "same-answer"};
  return kinds;
}

const RiskModel& model_of(const ContrastSettings& settings) {
  return settings.model ? *settings.model : RiskModel::shipped();
}

bool is_doubtful_beside_words(const Contrast& contrast) {
  constexpr std::array<std::string_view, 6> kinds_beside_words = {
      "answer-differs", "notation", "signs-differ", "needs-figure", "too-short", "too-long"};
  return std::ranges::any_of(contrast.reasons, [&](const Finding& finding) {
    return std::ranges::find(kinds_beside_words, finding.kind) != kinds_beside_words.end();
  });
}

Reasons reasons_of(const Contrast& contrast) {
  Reasons reasons;
  for (const Finding& reason : contrast.reasons) reasons.add(reason.kind);
  return reasons;
}

}  // namespace qdedup::refine
