#include "refine/layout_comparison.h"

#include <algorithm>
#include <utility>

#include "refine/alignment.h"
#include "refine/character_class.h"
#include "refine/difference_words.h"
#include "refine/question_echo.h"
#include "refine/rule_words.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

std::u32string meanings(const Tokens& tokens) {
  std::u32string text;
  text.reserve(tokens.size());
  for (const Token& token : tokens) text.push_back(token.word.meaning);
  return text;
}

// Where character `at` of the layout stands in the original text; the end for the character after the last.
std::size_t origin(const QuestionLayout& layout, std::size_t at) {
  if (at > 0) return layout.origins[at - 1] + 1;
  return layout.origins.empty() ? 0 : layout.origins.front();
}

CodePointRange range(const QuestionLayout& layout, std::size_t begin, std::size_t end) {
  if (begin == end) return {origin(layout, begin), origin(layout, begin)};
  return {layout.origins[begin], layout.origins[end - 1] + 1};
}

std::size_t begin_of(std::span<const Token> tokens, std::size_t at) {
  return tokens.empty() ? at : tokens.front().begin;
}

std::size_t end_of(std::span<const Token> tokens, std::size_t at) {
  return tokens.empty() ? at : tokens.back().end;
}

// Does a part say this between character `at` and its next word that carries meaning?
bool says(const Part& part, std::size_t at, char32_t c) {
  const auto next = std::ranges::lower_bound(part.words, at, {}, &Token::begin);
  const std::size_t end = next == part.words.end() ? part.end : next->begin;
  return part.layout.spelling(at, end).find(c) != std::u32string_view::npos;
}

// Does a part say with a filler what the only word that the other has here says? Its first character, 时 for
// 小时, 它 for 全长, 我 for a name, 是 for 占.
bool says_shorter(const Part& part, std::size_t at, const Part& other, std::span<const Token> words) {
  if (words.size() != 1) return false;
  const std::u32string_view word = other.layout.spelling(words.front());
  if (words.front().word.kind == WordKind::person)
    return has_one_person(other) && says(part, at, rule_words::me);
  if (word == rule_words::makes_up) return says(part, at, rule_words::is);
  if (word == rule_words::whole_length) return says(part, at, rule_words::it);
  if (word == rule_words::hour) return says(part, at, rule_words::hour_ending);
  return word.size() > 1 && word.front() != rule_words::how_many.front() &&
         says(part, at, word.front());  // 几分之几 is not 几
}

// The 3 of “20的3倍”, not that of “它的3倍” and “20，3倍”.
bool is_taken_of_number(const QuestionLayout& layout, const Token& number) {
  return number.word.kind == WordKind::sign && number.begin >= 2 &&
         layout.characters[number.begin - 1] == rule_words::possessive &&
         character_classes()[layout.characters[number.begin - 2]] != CharacterClass::han;
}

// 长 or 重, right before a digit
bool names_measure(const QuestionLayout& layout, const Token& token) {
  const std::u32string_view word = layout.spelling(token);
  return (word == rule_words::length || word == rule_words::weight) && token.end < layout.characters.size() &&
         character_classes()[layout.characters[token.end]] == CharacterClass::digit;
}

// Where the only person among the words stands; behind them if there is none, or several.
std::size_t place_of_person(std::span<const Token> words) {
  const auto is_person = [](const Token& token) { return token.word.kind == WordKind::person; };
  if (std::ranges::count_if(words, is_person) != 1) return words.size();
  return static_cast<std::size_t>(std::ranges::find_if(words, is_person) - words.begin());
}

// The words of a text that stands between words which carry meaning.
std::vector<std::u32string_view> words_of(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  while (!text.empty()) {
    const std::size_t length = Vocabulary::instance().first_word(text).length;
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

// Is just one word another, both a single character, and are these not usually exchanged?
bool exchanges_oddly(std::u32string_view a, std::u32string_view b) {
  const std::vector<std::u32string_view> a_words = words_of(a);
  const std::vector<std::u32string_view> b_words = words_of(b);
  const auto [x, y] = std::ranges::mismatch(a_words, b_words);
  if (x == a_words.end() || y == b_words.end() || x->size() != 1 || y->size() != 1) return false;
  return std::equal(x + 1, a_words.end(), y + 1, b_words.end()) &&
         !Vocabulary::instance().exchangeable(x->front(), y->front());
}

}  // namespace

bool Difference::asks() const {
  return std::ranges::any_of(a, &Token::asks) || std::ranges::any_of(b, &Token::asks);
}

bool Difference::listed() const {
  return std::ranges::any_of(a, &Token::listed) || std::ranges::any_of(b, &Token::listed);
}

std::u32string_view spelling(const QuestionLayout& layout, std::span<const Token> tokens) {
  return layout.spelling(begin_of(tokens, 0), end_of(tokens, 0));
}

Finding finding(std::string kind, const QuestionLayout& a, const QuestionLayout& b,
                const Difference& difference) {
  const auto& [x, y] = std::pair(difference.a, difference.b);
  return {std::move(kind), range(a, begin_of(x, difference.a_at), end_of(x, difference.a_at)),
          range(b, begin_of(y, difference.b_at), end_of(y, difference.b_at))};
}

Finding finding(std::string kind, const Part& a, const Part& b) {
  return {std::move(kind), range(a.layout, a.begin, a.end), range(b.layout, b.begin, b.end)};
}

Part::Part(const QuestionLayout& question, const Tokens& tokens, bool calculates)
    : layout(question),
      begin(begin_of(tokens, question.characters.size())),
      end(end_of(tokens, question.characters.size())),
      queries(std::ranges::count_if(tokens, is_query)),
      totals(std::ranges::count_if(tokens,
                                   [&](const Token& token) {
                                     return token.asks &&
                                            question.spelling(token).find(rule_words::total.front()) !=
                                                std::u32string_view::npos;
                                   })),
      words(essential(tokens, calculates)) {}

PartComparison::PartComparison(const Part& a, const Part& b)
    : a_part_(a), b_part_(b), a_(a.layout), b_(b.layout), a_at_(a.begin), b_at_(b.begin) {
  for (const AlignedStretch& stretch : align(meanings(a.words), meanings(b.words))) {
    const std::span a_words = std::span(a.words).subspan(stretch.a_begin, stretch.a_end - stretch.a_begin);
    const std::span b_words = std::span(b.words).subspan(stretch.b_begin, stretch.b_end - stretch.b_begin);
    if (stretch.same) {
      for (std::size_t i = 0; i < a_words.size(); ++i) pair(a_words[i], b_words[i]);
    } else {
      differ_around_person(a_words, b_words);
    }
  }
  if (!after_difference_) close_gap(a.end, b.end);
}

// 年级组长李老师 against 张老师: the two people are told apart by themselves.
void PartComparison::differ_around_person(std::span<const Token> a, std::span<const Token> b) {
  const std::size_t x = place_of_person(a);
  const std::size_t y = place_of_person(b);
  if (x == a.size() || y == b.size()) return differ_before_measure(a, b);
  differ(a.first(x), b.first(y));
  differ(a.subspan(x, 1), b.subspan(y, 1));
  differ(a.subspan(x + 1), b.subspan(y + 1));
}

// 沙重 against 货物, before the same amount: 重 is a difference of its own.
void PartComparison::differ_before_measure(std::span<const Token> a, std::span<const Token> b) {
  const bool a_measures = a.size() > 1 && names_measure(a_, a.back());
  const bool b_measures = b.size() > 1 && names_measure(b_, b.back());
  if (a_measures == b_measures || a.empty() || b.empty()) return differ(a, b);
  differ(a_measures ? a.first(a.size() - 1) : a, b_measures ? b.first(b.size() - 1) : b);
  differ(a_measures ? a.last(1) : a.last(0), b_measures ? b.last(1) : b.last(0));
}

void PartComparison::differ(std::span<const Token> a, std::span<const Token> b) {
  if (a.empty() && b.empty()) return;
  const bool replaces_total = (a.empty() && says(a_part_, a_at_, rule_words::total.front())) ||
                              (b.empty() && says(b_part_, b_at_, rule_words::total.front()));
  const bool shorter = (a.empty() && says_shorter(a_part_, a_at_, b_part_, b)) ||
                       (b.empty() && says_shorter(b_part_, b_at_, a_part_, a));
  differences_.push_back({a, b, a_at_, b_at_, replaces_total, shorter});
  after_difference_ = true;
  a_at_ = end_of(a, a_at_);
  b_at_ = end_of(b, b_at_);
}

void PartComparison::pair(const Token& a, const Token& b) {
  if (is_taken_of_number(a_, a) != is_taken_of_number(b_, b)) {
    other_bases_.push_back({"", range(a_, a.begin, a.end), range(b_, b.begin, b.end)});
  }
  if (!after_difference_) close_gap(a.begin, b.begin);
  after_difference_ = false;
  if (a_.spelling(a) != b_.spelling(b)) {
    harmless_.push_back({"synonym", range(a_, a.begin, a.end), range(b_, b.begin, b.end)});
  }
  a_at_ = a.end;
  b_at_ = b.end;
}

void PartComparison::close_gap(std::size_t a_end, std::size_t b_end) {
  const std::u32string_view x = a_.spelling(a_at_, a_end);
  const std::u32string_view y = b_.spelling(b_at_, b_end);
  if (x == y) return;
  const CodePointRange x_range = range(a_, a_at_, a_end);
  const CodePointRange y_range = range(b_, b_at_, b_end);
  harmless_.push_back({"filler", x_range, y_range});
  if (exchanges_oddly(x, y)) {
    odd_exchanges_.push_back({"", x_range, y_range});
  }
}

}  // namespace qdedup::refine
