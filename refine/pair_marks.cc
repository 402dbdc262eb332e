#include "refine/pair_marks.h"

#include <algorithm>
#include <string>

#include "refine/alignment.h"
#include "refine/character_class.h"
#include "refine/parts.h"
#include "refine/placed_marks.h"
#include "refine/question_layout.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// A text, and the marks of each of its code points.
struct MarkedText {
  std::u32string text;
  std::vector<unsigned> kinds;

  explicit MarkedText(std::string_view utf8) : text(to_utf32(utf8)), kinds(text.size(), 0U) {}

  void add(std::size_t begin, std::size_t end, unsigned kind) {
    for (std::size_t i = begin; i < end; ++i) kinds[i] |= kind;
  }
};

void mark_differences(MarkedText& question, MarkedText& keeper) {
  if (question.text.empty() || keeper.text.empty()) return;
  const SingleFigures a(question.text);
  const SingleFigures b(keeper.text);
  for (AlignedStretch stretch : align(a.text, b.text)) {
    if (stretch.same) continue;
    stretch = {stretch.same, a.begins[stretch.a_begin], a.begins[stretch.a_end], b.begins[stretch.b_begin],
               b.begins[stretch.b_end]};
    const std::u32string_view here =
        std::u32string_view(question.text).substr(stretch.a_begin, stretch.a_end - stretch.a_begin);
    const std::u32string_view there =
        std::u32string_view(keeper.text).substr(stretch.b_begin, stretch.b_end - stretch.b_begin);
    const unsigned kinds = parts_of(here) == parts_of(there) ? differs | faint : differs;
    question.add(stretch.a_begin, stretch.a_end, kinds);
    keeper.add(stretch.b_begin, stretch.b_end, kinds);
  }
}

unsigned kind_of(const QuestionLayout& layout, const Token& token) {
  switch (token.word.kind) {
    case WordKind::number:
      return number;
    case WordKind::unit:
      return unit;
    case WordKind::negation:
      return negation;
    case WordKind::sign:
      return character_classes()[layout.characters[token.begin]] == CharacterClass::digit ? number : formula;
    default:
      return 0;
  }
}

// 不正确 is one word, the opposite of 正确.
bool begins_with_negation(const QuestionLayout& layout, const Token& token) {
  const std::u32string_view word = layout.spelling(token);
  return word.size() > 1 && is_one_of(word.front(), rule_words::negating_prefixes);
}

void mark_words(MarkedText& text, const QuestionLayout& layout, const Tokens& tokens) {
  for (const Token& token : tokens) {
    const unsigned kind = kind_of(layout, token);
    for (std::size_t i = token.begin; kind != 0 && i < token.end; ++i) {
      text.add(layout.origins[i], layout.origins[i] + 1, kind);
    }
    if (kind == 0 && begins_with_negation(layout, token)) {
      text.add(layout.origins[token.begin], layout.origins[token.begin] + 1, negation);
    }
  }
}

// Whether a formula goes on across it: a bracket, a point, a blank.
bool is_joint(char32_t c) { return is_one_of(c, U" .,()[]{}\\_^$|"); }

// A run of formula, digits and joints.
struct FormulaRun {
  std::size_t end;   // of what is no joint; where the run begins if all are joints
  std::size_t stop;  // of all of it
};

FormulaRun run_from(const MarkedText& text, std::size_t begin) {
  std::size_t end = begin;
  std::size_t i = begin;
  for (; i < text.text.size(); ++i) {
    const bool written =
        (text.kinds[i] & (formula | number)) != 0 && character_classes()[text.text[i]] != CharacterClass::han;
    if (written) {
      end = i + 1;
    } else if (!is_joint(text.text[i])) {
      break;
    }
  }
  return {end, i};
}

// The digits of a formula are part of it.
void join_formulas(MarkedText& text) {
  for (std::size_t begin = 0; begin < text.text.size();) {
    const FormulaRun run = run_from(text, begin);
    const auto first = text.kinds.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = text.kinds.begin() + static_cast<std::ptrdiff_t>(run.end);
    if (std::any_of(first, last, [](unsigned kinds) { return (kinds & formula) != 0; })) {
      std::for_each(first, last, [](unsigned& kinds) { kinds = (kinds & ~unsigned{number}) | formula; });
    }
    begin = run.stop + 1;
  }
}

void mark_kinds(MarkedText& text, std::string_view utf8) {
  NameIndex names;
  const QuestionLayout layout = read_layout(TextForms(utf8), names);
  mark_words(text, layout, layout.stem);
  for (const Tokens& option : layout.options) mark_words(text, layout, option);
  join_formulas(text);
}

}  // namespace

std::vector<Mark> marks_of(const std::vector<unsigned>& kinds) {
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == 0) continue;
    if (!marks.empty() && marks.back().end == i && marks.back().kinds == kinds[i]) {
      ++marks.back().end;
    } else {
      marks.push_back({i, i + 1, kinds[i]});
    }
  }
  return marks;
}

PairMarks mark_pair(std::string_view question, std::string_view keeper) {
  MarkedText left(question);
  MarkedText right(keeper);
  mark_differences(left, right);
  mark_kinds(left, question);
  mark_kinds(right, keeper);
  return {marks_of(left.kinds), marks_of(right.kinds)};
}

}  // namespace qdedup::refine
