#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "markup/tables.h"
#include "markup/tidying.h"
#include "refine/character_class.h"
#include "refine/placed_marks.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

constexpr std::size_t no_place = std::u32string_view::npos;

// The place of a figure counts, too; it stays whatever is dropped around it.
bool is_space(char32_t c) {
  return is_white_space(c) || c == U'\u3000' || c == U'\u00A0' || refine::is_figure_place(c);
}

// Full-width forms as the others.
char32_t narrow(char32_t c) { return c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c; }

// Where the white space at `at` ends.
std::size_t behind_space(std::u32string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t behind_digits(std::u32string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// "2022年" and the like.
bool begins_with_year(std::u32string_view text) {
  const std::size_t end = behind_digits(text, 0);
  const std::size_t unit = behind_space(text, end);
  return end == 4 && (text[0] == U'1' || text[0] == U'2') && unit < text.size() && text[unit] == U'年';
}

// Where the bracket is closed that opens at `at`; `no_place` where none opens, or it is long.
std::size_t closing_of(std::u32string_view text, std::size_t at) {
  constexpr std::u32string_view opening = U"([【〔";
  constexpr std::u32string_view closing = U")]】〕";
  constexpr std::size_t longest = 60;
  if (at >= text.size()) return no_place;
  const std::size_t kind = opening.find(text[at]);
  if (kind == no_place) return no_place;
  const std::size_t end = text.substr(at, longest).find(closing[kind]);
  return end == no_place ? no_place : at + end;
}

// "5分", "本小题满分 12 分"
bool is_score(std::u32string_view content) {
  constexpr std::size_t longest = 25;
  while (!content.empty() && is_space(content.back())) content.remove_suffix(1);
  if (content.size() > longest || content.empty() || content.back() != U'分') return false;
  std::size_t before = content.size() - 1;
  while (before > 0 && is_space(content[before - 1])) --before;
  return before > 0 && is_digit(content[before - 1]);
}

// Does a bracket for the answer follow that holds nothing?
bool is_before_blank(std::u32string_view text, std::size_t at) {
  const std::size_t open = behind_space(text, at);
  if (open >= text.size() || text[open] != U'(') return false;
  const std::size_t close = behind_space(text, open + 1);
  return close < text.size() && text[close] == U')';
}

// Reads what stands in front of a question; each function returns where it ends, 0 for nothing. `text` is in
// narrow forms.
class Front {
 public:
  explicit Front(std::u32string_view text) : text_(text) {}

  [[nodiscard]] std::size_t end() const {
    constexpr int most_parts = 6;
    std::size_t at = behind_space(text_, 0);
    for (int part = 0; part < most_parts; ++part) {
      const std::size_t end = end_of_part(at);
      if (end == 0) break;
      at = behind_space(text_, end);
    }
    return at < text_.size() ? at : 0;
  }

 private:
  [[nodiscard]] std::size_t end_of_part(std::size_t at) const {
    if (at >= text_.size()) return 0;
    if (text_[at] == U'第') return end_of_ordinal(at);
    if (is_digit(text_[at])) return end_of_number(at);
    return end_of_bracket(at);
  }

  [[nodiscard]] std::size_t end_of_ordinal(std::size_t at) const {
    const std::size_t end = end_of_item(at + 1);
    const auto is_item = [this](std::size_t other) {
      return end_of_item(other + (text_[other] == U'第' ? 1 : 0)) > 0;
    };
    if (end == 0 || is_of_sentence(end, is_item) || is_subject(end)) return 0;
    const bool has_stop = end < text_.size() && refine::is_one_of(text_[end], U".:、,");
    return end + (has_stop ? 1 : 0);
  }

  // 第3题是填空题, and 第3题 in a text that names another one: 第3题…，第12题…
  [[nodiscard]] bool is_subject(std::size_t at) const {
    if (at < text_.size() && refine::is_one_of(text_[at], U"是得起占")) return true;
    for (std::size_t other = text_.find(U'第', at); other != no_place; other = text_.find(U'第', other + 1)) {
      if (end_of_item(other + 1) > 0) return true;
    }
    return false;
  }

  // "4题"
  [[nodiscard]] std::size_t end_of_item(std::size_t at) const {
    const std::size_t digits = behind_space(text_, at);
    const std::size_t end = behind_space(text_, behind_digits(text_, digits));
    return end > digits && end < text_.size() && text_[end] == U'题' ? end + 1 : 0;
  }

  [[nodiscard]] std::size_t end_of_number(std::size_t at) const {
    constexpr std::size_t longest = 3;
    const std::size_t stop = behind_digits(text_, at);
    if (stop - at > longest || stop >= text_.size()) return 0;
    if (text_[stop] != U'.' && text_[stop] != U'、') return 0;
    if (text_.substr(at, stop - at) == U"0") return 0;
    const std::size_t next = behind_space(text_, stop + 1);
    const bool goes_on = next < text_.size() && (is_digit(text_[next]) || text_[next] == U'.');
    if (goes_on && !begins_with_year(text_.substr(next))) return 0;
    return is_of_list(next, text_[stop]) ? 0 : stop + 1;
  }

  // 8、x、12, 9.，8.， 9.□8 and 0.ˑ3: the number is what the question is about.
  [[nodiscard]] bool is_of_list(std::size_t at, char32_t stop) const {
    constexpr std::size_t longest = 10;
    if (at >= text_.size()) return false;
    if (refine::is_one_of(text_[at], U",;-√π□_…ˑˉ") || is_before_blank(text_, at)) return true;
    if (is_hidden_digit(at)) return true;
    if (stop != U'、') return is_repetend(at);
    if (is_joined_name(at)) return true;
    const std::u32string_view item = text_.substr(at, longest);
    const std::size_t end = item.find_first_of(U"、,。.;:?!\n");
    return end != no_place && item[end] == U'、';
  }

  // 4、x和8 and 7、八与九, but not 4、小明和小红
  [[nodiscard]] bool is_joined_name(std::size_t at) const {
    constexpr std::size_t longest = 2;
    const std::size_t begin = at + (text_[at] == U'$' ? 1 : 0);
    std::size_t end = begin;
    while (end < text_.size() && end - begin < longest &&
           (is_letter(text_[end]) || refine::is_one_of(text_[end], U"一二三四五六七八九十百某数")))
      ++end;
    std::size_t next = behind_space(text_, end);
    if (next < text_.size() && text_[next] == U'$') next = behind_space(text_, next + 1);
    return end > begin && next < text_.size() && refine::is_one_of(text_[next], U"和与及");
  }

  // 3.△×5, but neither 3.△ABC nor 3.★已知
  [[nodiscard]] bool is_hidden_digit(std::size_t at) const {
    const std::size_t next = behind_space(text_, at + 1);
    return refine::is_one_of(text_[at], U"○△☆■◇●▲★◆?") && next < text_.size() &&
           (is_digit(text_[next]) || is_operator(text_[next]));
  }

  // 1.(3)+x and 1.(3)化成分数, but neither 1.(1)-3…(2)…, whose questions have numbers, nor 1.(3)班
  [[nodiscard]] bool is_repetend(std::size_t at) const {
    const std::size_t end = text_[at] == U'(' && text_[at - 1] == U'.' ? closing_of(text_, at) : no_place;
    if (end == no_place) return false;
    const std::u32string_view content = text_.substr(at + 1, end - at - 1);
    const bool has_second = content == U"1" && text_.substr(end).find(U"(2)") != no_place;
    const std::size_t next = behind_space(text_, end + 1);
    const bool goes_on = next >= text_.size() || is_operator(text_[next]) ||
                         refine::is_one_of(text_[next], U"化的是和与等,.;。、)");
    return is_number(content) && goes_on && !has_second;
  }

  [[nodiscard]] std::size_t end_of_bracket(std::size_t at) const {
    const std::size_t end = closing_of(text_, at);
    if (end == no_place) return 0;
    const std::u32string_view content = text_.substr(at + 1, end - at - 1);
    const auto is_bracketed_score = [this](std::size_t other) {
      const std::size_t closing = closing_of(text_, other);
      return closing != no_place && is_score(text_.substr(other + 1, closing - other - 1));
    };
    if (is_score(content) || (is_source(content) && !is_word_to_use()))
      return is_of_sentence(end + 1, is_bracketed_score) ? 0 : end + 1;
    return is_number(content) ? end_of_numbering_bracket(end + 1) : 0;
  }

  // （竞赛）用括号里的词语写一句话
  [[nodiscard]] bool is_word_to_use() const { return text_.find(U"括号") != no_place; }

  // （5分）的时间内, （3分）减（2分） and 第3题和第4题: hardly any question begins so.
  template <class Test>
  [[nodiscard]] bool is_of_sentence(std::size_t at, const Test& is_another) const {
    constexpr std::size_t longest_link = 2;
    if (at >= text_.size() || is_space(text_[at])) return false;
    for (std::size_t end = at + 1; end <= at + longest_link && end < text_.size(); ++end) {
      if (is_another(end)) return true;
    }
    return text_[at] == U'的';
  }

  // （12） counts as a number where a full stop or a score follows.
  [[nodiscard]] std::size_t end_of_numbering_bracket(std::size_t at) const {
    const std::size_t next = behind_space(text_, at);
    if (next >= text_.size()) return 0;
    if (text_[next] == U'.' || text_[next] == U'。') return next + 1;
    const std::size_t end = closing_of(text_, next);
    return end != no_place && is_score(text_.substr(next + 1, end - next - 1)) ? end + 1 : 0;
  }

  static bool is_operator(char32_t c) { return refine::is_one_of(c, U"×÷+-<>=≈"); }

  static bool is_number(std::u32string_view content) {
    const std::size_t begin = behind_space(content, 0);
    const std::size_t end = behind_digits(content, begin);
    return end > begin && end - begin <= 3 && behind_space(content, end) == content.size();
  }

  // 2016•怀化
  static bool is_year_and_place(std::u32string_view content) {
    const std::size_t end = behind_digits(content, 0);
    if (end != 4 || (!content.starts_with(U"19") && !content.starts_with(U"20"))) return false;
    const std::size_t dot = behind_space(content, end);
    if (dot >= content.size() || !refine::is_one_of(content[dot], U"·•・")) return false;
    const std::u32string_view place = content.substr(behind_space(content, dot + 1));
    return !place.empty() && std::ranges::all_of(place, [](char32_t c) {
      return refine::character_classes()[c] == refine::CharacterClass::han;
    });
  }

  static bool is_source(std::u32string_view content) {
    if (is_year_and_place(content)) return true;
    const std::string text = refine::to_utf8(content);
    return std::ranges::any_of(
        source_words(), [&text](std::string_view word) { return text.find(word) != std::string::npos; });
  }

  std::u32string_view text_;
};

// The mark of an option: characters [begin, end).
struct OptionMark {
  char32_t letter;
  std::size_t begin;
  std::size_t end;
};

// The mark whose letter stands at `at`, if it is one; an end of 0 for none.
OptionMark mark_at(std::u32string_view text, std::size_t at) {
  const OptionMark no_mark{U'\0', 0, 0};
  const char32_t letter = text[at];
  if (letter < U'A' || letter > U'H') return no_mark;
  std::size_t before = at;
  while (before > 0 && is_space(text[before - 1])) --before;
  const std::size_t next = behind_space(text, at + 1);
  if (next >= text.size()) return no_mark;
  if (before > 0 && text[before - 1] == U'(' && text[next] == U')') return {letter, before - 1, next + 1};
  const bool is_in_word = at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1]));
  if (is_in_word || (text[next] != U'.' && text[next] != U'、')) return no_mark;
  return {letter, at, next + 1};
}

// The marks of the options that end a question, from A on; empty where there are not two at least.
std::vector<OptionMark> option_marks(std::u32string_view text) {
  constexpr int most_tries = 8;
  std::vector<OptionMark> marks;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const OptionMark mark = mark_at(text, at); mark.end > 0) marks.push_back(mark);
  }
  int tries = 0;
  for (std::size_t first = marks.size(); first-- > 0 && tries < most_tries;) {
    if (marks[first].letter != U'A') continue;
    ++tries;
    std::vector<OptionMark> row;
    for (std::size_t i = first; i < marks.size(); ++i) {
      if (marks[i].letter == U'A' + row.size()) row.push_back(marks[i]);
    }
    if (row.size() > 1) return row;
  }
  return {};
}

// Does the stem of a question end at `at`: its line, or before its options?
bool is_end_of_stem(std::u32string_view text, std::size_t at, std::size_t options) {
  while (at < text.size() && text[at] != U'\n' && is_space(text[at])) ++at;
  return at >= text.size() || text[at] == U'\n' || at == options;
}

// Where the score ends that stands at `begin`, after the last words of a stem or beside its empty bracket; 0
// for none. "投中得（3分）" is no score of the question, nor is "平均分是（96分）" where no options follow.
std::size_t behind_last_score(std::u32string_view text, std::size_t begin, std::size_t options) {
  constexpr std::u32string_view last_words = U".。?!;:)是为";
  const std::size_t end = closing_of(text, begin);
  if (begin == 0 || end == no_place) return 0;
  const std::u32string_view content = text.substr(begin + 1, end - begin - 1);
  const std::size_t number = behind_space(content, 0);
  if (!is_score(content) || !is_digit(content[number])) return 0;
  const bool is_amount = refine::is_one_of(text[begin - 1], U"是为") && options == text.size();
  const bool ends_words = !is_amount && last_words.find(text[begin - 1]) != no_place;
  const bool is_last =
      is_before_blank(text, end + 1) || (ends_words && is_end_of_stem(text, end + 1, options));
  return is_last ? end + 1 : 0;
}

// Characters [begin, end) and what is written for them.
struct Replacement {
  std::size_t begin;
  std::size_t end;
  std::u32string text;
};

std::u32string figure_places(std::u32string text) {
  std::erase_if(text, [](char32_t c) { return !refine::is_figure_place(c); });
  return text;
}

// In order, from `at` on.
std::vector<Replacement> replacements(std::u32string_view text, std::size_t at) {
  const std::vector<OptionMark> marks = option_marks(text);
  const std::size_t options = marks.empty() ? text.size() : marks.front().begin;
  std::vector<Replacement> all;
  for (std::size_t begin = at; begin < options; ++begin) {
    if (const std::size_t end = behind_last_score(text, begin, options); end > 0)
      all.push_back({begin, end, {}});
  }
  for (const OptionMark& mark : marks) {
    if (mark.begin >= at) all.push_back({mark.begin, mark.end, {U' ', mark.letter, U'.', U' '}});
  }
  return all;
}

}  // namespace

std::string without_numbering(std::string_view text) {
  const std::u32string original = refine::to_utf32(text);
  std::u32string narrowed = original;
  for (char32_t& c : narrowed) c = narrow(c);
  std::size_t at = Front(narrowed).end();
  std::u32string result = figure_places(original.substr(0, at));
  for (const Replacement& replacement : replacements(narrowed, at)) {
    const std::size_t begin = replacement.begin;
    result.append(original, at, begin - at).append(replacement.text);
    result += figure_places(original.substr(begin, replacement.end - begin));
    at = replacement.end;
  }
  return refine::to_utf8(result.append(original, at));
}

}  // namespace qdedup::markup
