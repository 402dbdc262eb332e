#include "refine/contrast.h"

#include <algorithm>
#include <utility>

#include "refine/dropped_notation.h"
#include "refine/layout_text.h"
#include "refine/normalise.h"
#include "refine/option_contrast.h"
#include "refine/question_layout.h"
#include "refine/stem_contrast.h"

namespace qdedup::refine {
namespace {

// Hardly a question is that long, and reading its words takes time.
constexpr std::size_t max_contrasted_bytes = 24'576;

// The answer without white space, in normal form.
std::u32string comparable(std::string_view answer) {
  std::u32string text = normalise(answer);
  std::erase_if(text, [](char32_t c) { return c == U' ' || c == U'\n' || c == U'\t' || c == U'\r'; });
  return text;
}

void contrast_answers(const QuestionText& a, const QuestionText& b, Contrast& contrast) {
  if (!a.answer || !b.answer) return;
  const Finding finding{"", {0, 0}, {0, 0}};
  const bool same = comparable(*a.answer) == comparable(*b.answer);
  auto& findings = same ? contrast.harmless : contrast.reasons;
  findings.push_back({same ? "same-answer" : "answer-differs", finding.question, finding.keeper});
}

void contrast_texts(std::string_view a, std::string_view b, const CharacterCounts& bank, Contrast& contrast) {
  if (!same_dropped_notation(a, b)) contrast.reasons.push_back({"notation", {0, 0}, {0, 0}});
  if (kept_characters(a) == kept_characters(b)) return;
  if (std::max(a.size(), b.size()) > max_contrasted_bytes) {
    contrast.reasons.push_back({"stem-differs", {0, 0}, {0, 0}});
    return;
  }
  NameIndex names;
  const QuestionLayout a_layout = read_layout(a, names);
  const QuestionLayout b_layout = read_layout(b, names);
  contrast_stems(a_layout, b_layout, bank, contrast);
  contrast_options(a_layout, b_layout, contrast);
}

void contrast_missing_parts(std::string_view a, std::string_view b, const ContrastSettings& settings,
                            Contrast& contrast) {
  const MissingParts missing = missing_parts(a, b, settings);
  if (missing.needs_figure) contrast.reasons.push_back({"needs-figure", {0, 0}, {0, 0}});
  if (missing.too_short) contrast.reasons.push_back({"too-short", {0, 0}, {0, 0}});
}

Contrast ordered_contrast(const QuestionText& a, const QuestionText& b, const CharacterCounts& bank,
                          const ContrastSettings& settings) {
  Contrast contrast;
  contrast_texts(a.text, b.text, bank, contrast);
  contrast_answers(a, b, contrast);
  contrast_missing_parts(a.text, b.text, settings, contrast);
  contrast.confidence = contrast.reasons.empty() ? Confidence::safe : Confidence::doubtful;
  contrast.risk = Risk(contrast.reasons.empty() ? 100 : 5000);
  return contrast;
}

void exchange_ranges(std::vector<Finding>& findings) {
  for (Finding& finding : findings) std::swap(finding.question, finding.keeper);
}

}  // namespace

Contrast contrast(const QuestionText& question, const QuestionText& keeper, const CharacterCounts& bank,
                  const ContrastSettings& settings) {
  if (question.text <= keeper.text) return ordered_contrast(question, keeper, bank, settings);
  Contrast contrast = ordered_contrast(keeper, question, bank, settings);
  exchange_ranges(contrast.reasons);
  exchange_ranges(contrast.harmless);
  return contrast;
}

std::string_view contrast_weights_name() { return "none"; }

Reasons reasons_of(const Contrast& contrast) {
  Reasons reasons;
  for (const Finding& reason : contrast.reasons) reasons.add(reason.kind);
  return reasons;
}

}  // namespace qdedup::refine
