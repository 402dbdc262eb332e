#include "refine/other_calculations.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "refine/asked.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

template <class List>
bool any_is(const QuestionLayout& layout, Words words, const List& list) {
  return std::ranges::any_of(words,
                             [&](const Token& word) { return is_listed(list, layout.spelling(word)); });
}

bool compares(const QuestionLayout& layout, Words words) {
  return std::ranges::any_of(
      words, [&](const Token& word) { return layout.spelling(word) == rule_words::compared_with; });
}

bool is_label(const QuestionLayout& layout, Words words) {
  return words.size() == 1 && words[0].word.length == 1 &&
         is_one_of(layout.characters[words[0].begin], rule_words::labels);
}

// 利润率
bool is_rate(const QuestionLayout& layout, Words words) {
  return !words.empty() && layout.characters[words.back().end - 1] == rule_words::rate;
}

// 海水, 通风管
bool has_relation(Words words) {
  return std::ranges::any_of(
      words, [](const Token& word) { return word.word.kind == WordKind::relation && word.word.length > 1; });
}

// 利润, 直径
bool is_quantity(Words words) {
  return std::ranges::any_of(
      words, [](const Token& word) { return word.word.length > 1 && word.word.kind == WordKind::quantity; });
}

Words clause_of(const QuestionLayout& layout, Words words) {
  auto begin = layout.stem.begin() + (words.data() - layout.stem.data());
  const auto end = std::find_if(begin + 1, layout.stem.end(), [](const Token& word) { return word.begins; });
  while (!begin->begins) --begin;
  return {begin, end};
}

class CalculationReader {
 public:
  CalculationReader(const QuestionLayout& a, const QuestionLayout& b, const std::vector<KnownEdit>& edits)
      : a_(a), b_(b), edits_(edits) {}

  [[nodiscard]] bool is_other() const {
    const KnownEdit* before = nullptr;
    for (const KnownEdit& known : edits_) {
      if (asks_for_another(before == nullptr ? known : *before, known) || asks_for_more(known) ||
          takes_of_another(known) || exchanges(known))
        return true;
      before = &known;
    }
    return only_one_says(rule_words::choices_of_a_root) || only_one_says(rule_words::ways_back) ||
           asks_for_another_total();
  }

 private:
  // 原价 in place of 进价, or 甲 of 乙, in the clause that asks. `first` and `second` are two kinds of one
  // edit, or of two.
  [[nodiscard]] bool asks_for_another(const KnownEdit& first, const KnownEdit& second) const {
    const WordEdit& edit = second.edit;
    if (!carry_meaning(edit.a, true) || !carry_meaning(edit.b, true)) return false;
    const bool is_of_quantity =
        first.kind == "quantity" && first.edit.a_at == edit.a_at && first.edit.b_at == edit.b_at;
    return second.kind == "renamed-part"
               ? edit.place == Place::question || (is_label(a_, edit.a) && is_label(b_, edit.b))
               : second.kind == "asks-else" && is_of_quantity;
  }

  // Does a comparison, a share or a rate come in here, the quantity that is asked for, or a unit in which no
  // number is given? 花布比白布多多少米, 几分之几, 利润率, 产量的增长率, 多少毫升
  [[nodiscard]] bool asks_for_more(const KnownEdit& known) const {
    const WordEdit& edit = known.edit;
    if (known.kind != "quantity" && known.kind != "unit") return false;
    const bool in_question = edit.place == Place::question;
    if (in_question && (compares(a_, edit.a) != compares(b_, edit.b) ||
                        any_is(a_, edit.a, rule_words::changes) != any_is(b_, edit.b, rule_words::changes) ||
                        asks_for_share(a_, edit.a) != asks_for_share(b_, edit.b)))
      return true;
    if (known.kind == "quantity" &&
        ((has_relation(edit.a) && has_relation(edit.b)) || is_rate(a_, edit.a) != is_rate(b_, edit.b)))
      return true;
    const bool in_a = carry_meaning(edit.a, true);
    if (in_a == carry_meaning(edit.b, true)) return false;
    const QuestionLayout& longer = in_a ? a_ : b_;
    const Words words = in_a ? edit.a : edit.b;
    const auto next = after(longer, words);
    const bool ends = next == longer.stem.end() || next->begins ||
                      is_listed(rule_words::equalities, longer.spelling(*next));
    const Token& last = words.back();
    return in_question && ends &&
           (known.kind == "quantity" ? last.word.kind == WordKind::quantity
                                     : last.counted && last.word.kind == WordKind::unit);
  }

  // 比乙多3倍 in place of 是乙的3倍, 余下的(1/4) of (1/4), 底面直径 of 底面周长
  [[nodiscard]] bool takes_of_another(const KnownEdit& known) const {
    const WordEdit& edit = known.edit;
    if (known.kind == "role-swap" || is_harmless(known.kind)) return false;
    if (!edit.is_insertion() && compares(a_, edit.a) != compares(b_, edit.b)) return true;
    if (known.kind == "quantity" && is_quantity(edit.a) && is_quantity(edit.b)) return true;
    return takes_of_rest(a_, edit.a) != takes_of_rest(b_, edit.b);
  }

  static bool takes_of_rest(const QuestionLayout& layout, Words words) {
    if (words.empty() || !any_is(layout, words, rule_words::the_rest)) return false;
    const auto is_possessive = [&layout](const Token& word) {
      return layout.characters[word.begin] == rule_words::possessive;
    };
    auto next = after(layout, words);
    const bool of_it = is_possessive(words.back()) || (next != layout.stem.end() && is_possessive(*next++));
    return of_it && next != layout.stem.end() && next->word.kind == WordKind::sign;
  }

  // 鸡比鸭, 鸭比鸡
  [[nodiscard]] bool exchanges(const KnownEdit& known) const {
    const WordEdit& edit = known.edit;
    if (known.kind != "role-swap") return false;
    if (compares(a_, edit.a) || compares(b_, edit.b)) return true;
    if (!carry_meaning(edit.a, true) || !carry_meaning(edit.b, true)) return false;
    return compares(a_, clause_of(a_, edit.a)) || is_exchanged(edit);
  }

  // Do two words replace each other, outside of an enumeration? 从车头上桥到车尾离桥, 从车尾…到车头
  [[nodiscard]] bool is_exchanged(const WordEdit& edit) const {
    return std::ranges::any_of(edits_, [&](const KnownEdit& other) {
      return other.edit.a_at > edit.a_at && spelling_of(a_, edit.a) == spelling_of(b_, other.edit.b) &&
             spelling_of(b_, edit.b) == spelling_of(a_, other.edit.a) && !is_enumerated(a_, other.edit.a);
    });
  }

  // Does it follow 和 or 、, with at most its number and measure word between?
  static bool is_enumerated(const QuestionLayout& layout, Words words) {
    auto word = after(layout, words.first(0));
    while (!word->joined && !word->begins && word != layout.stem.begin() && counts(*std::prev(word))) --word;
    return word->joined;
  }

  static bool counts(const Token& word) {
    const WordKind kind = word.word.kind;
    return kind == WordKind::sign || kind == WordKind::number || kind == WordKind::unit ||
           kind == WordKind::filler;
  }

  template <class List>
  [[nodiscard]] bool only_one_says(const List& list) const {
    const auto says = [&list](const QuestionLayout& layout) {
      return std::ranges::any_of(list, [&](std::u32string_view word) {
        return layout.characters.find(word) != std::u32string::npos;
      });
    };
    return says(a_) != says(b_);
  }

  [[nodiscard]] bool asks_for_another_total() const {
    const auto asks_for_total = [](const QuestionLayout& layout) {
      return std::ranges::any_of(layout.stem, [&](const Token& word) {
        return word.asks && is_listed(rule_words::totals, layout.spelling(word));
      });
    };
    return asks_for_total(a_) != asks_for_total(b_) &&
           std::ranges::any_of(edits_, [](const KnownEdit& known) {
             return known.edit.place == Place::question && !is_harmless(known.kind);
           });
  }

  const QuestionLayout& a_;
  const QuestionLayout& b_;
  const std::vector<KnownEdit>& edits_;
};

}  // namespace

bool are_other_calculations(const QuestionLayout& a, const QuestionLayout& b,
                            const std::vector<KnownEdit>& edits) {
  return CalculationReader(a, b, edits).is_other();
}

}  // namespace qdedup::refine
