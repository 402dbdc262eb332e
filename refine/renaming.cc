#include "refine/renaming.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "refine/difference_words.h"
#include "refine/question_echo.h"
#include "refine/rule_words.h"
#include "refine/word_doubts.h"

namespace qdedup::refine {
namespace {

bool is_person(std::span<const Token> tokens) {
  return tokens.size() == 1 && tokens.front().word.kind == WordKind::person;
}

// 甲, 乙 and so on; 快, 慢, 客, 货 before 车 or 船; the number before 年级
bool is_label(const QuestionLayout& layout, std::span<const Token> tokens) {
  if (tokens.size() != 1) return false;
  const Token& label = tokens.front();
  const std::u32string_view behind = layout.spelling(label.end, label.end + 2);
  const bool vehicle = behind.starts_with(rule_words::vehicle) || behind.starts_with(rule_words::ship);
  return is_letter(label) || (label.word.kind == WordKind::number && behind == rule_words::grade) ||
         (vehicle && rule_words::vehicle_labels.find(layout.spelling(label)) != std::u32string_view::npos);
}

// A name that no list has, of characters which lists may have: 东台. Such characters relate nothing there.
bool may_be_name(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference) {
  const auto named = [](Words words) {
    return words.size() >= 2 && words.size() <= 4 && std::ranges::any_of(words, is_unlisted) &&
           std::ranges::all_of(words, [](const Token& token) { return token.word.length == 1; });
  };
  return named(difference.a) && named(difference.b) && word_doubts(a, b, difference, false).empty();
}

// What stands after 第 and a number: 天 of 第二天, 期工程 of 第一期工程.
bool is_counted_off(const QuestionLayout& layout, std::span<const Token> tokens) {
  return !tokens.empty() && tokens.size() <= 3 && tokens.front().begin >= 2 &&
         layout.characters[tokens.front().begin - 2] == rule_words::ordinal &&
         std::ranges::all_of(tokens, [](const Token& token) {
           return is_unlisted(token) || token.word.kind == WordKind::unit ||
                  token.word.kind == WordKind::quantity;
         });
}

// Words that only tell things apart.
bool tells_apart(const QuestionLayout& layout, std::span<const Token> tokens) {
  return is_label(layout, tokens) || is_counted_off(layout, tokens);
}

bool occurs(std::u32string_view word, const QuestionLayout& layout) {
  return layout.characters.find(word) != std::u32string::npos;
}

std::size_t count(std::u32string_view word, const QuestionLayout& layout) {
  std::size_t times = 0;
  for (std::size_t at = layout.characters.find(word); at != std::u32string::npos;
       at = layout.characters.find(word, at + word.size())) {
    ++times;
  }
  return times;
}

// Does the text have the word other than within `longer`?
bool occurs_beside(std::u32string_view word, std::u32string_view longer, const QuestionLayout& layout) {
  if (longer.find(word) == std::u32string_view::npos) return occurs(word, layout);
  return count(word, layout) > count(longer, layout);
}

// 这 or the like stands before, perhaps with a measure word
bool is_pointed_at(const QuestionLayout& layout, std::size_t at) {
  const std::u32string_view before = layout.spelling(at < 2 ? 0 : at - 2, at);
  return before.find_first_of(rule_words::near_pointers) != std::u32string_view::npos;
}

// Is the name that one text has at `at` a short form of the other's, which the one has too, and of nothing
// else?
bool is_short_for(std::u32string_view name, std::size_t at, const QuestionLayout& layout,
                  std::u32string_view full, const QuestionLayout& other) {
  return full.size() > name.size() && full.ends_with(name) && is_pointed_at(layout, at) &&
         occurs(full, layout) && count(name, layout) == count(full, layout) + 1 &&
         count(name, other) == count(full, other);
}

// The name that each word of one text has in the other; more than one name is none.
class NameMap {
 public:
  void add(std::u32string_view from, std::u32string_view to) {
    const auto [found, is_new] = names_.try_emplace(from, to);
    if (!is_new && found->second != to) found->second = {};
  }

  [[nodiscard]] bool maps(std::u32string_view from, std::u32string_view to) const {
    const auto found = names_.find(from);
    return found != names_.end() && found->second == to;
  }

 private:
  std::map<std::u32string_view, std::u32string_view> names_;
};

bool could_rename(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference,
                  bool calculates) {
  if (difference.a.empty() || difference.b.empty()) return false;
  if (is_person(difference.a) && is_person(difference.b)) return true;
  if (calculates && tells_apart(a, difference.a) && tells_apart(b, difference.b)) return true;
  return calculates && word_doubts(a, b, difference, calculates).empty();
}

}  // namespace

std::vector<bool> renamings(const QuestionLayout& a, const QuestionLayout& b,
                            const std::vector<Difference>& differences, bool calculates) {
  NameMap forth;
  NameMap back;
  NameMap mentioned;  // outside the clause that asks
  for (const Difference& difference : differences) {
    if (difference.a.empty() || difference.b.empty()) continue;
    const std::u32string_view x = spelling(a, difference.a);
    const std::u32string_view y = spelling(b, difference.b);
    forth.add(x, y);
    back.add(y, x);
    if (!difference.asks()) mentioned.add(x, y);
  }
  const auto recurs = [&](std::u32string_view x, std::u32string_view y) {
    return count(x, a) > 1 && count(y, b) > 1;
  };
  std::vector<bool> renamed;
  for (const Difference& difference : differences) {
    const std::u32string_view x = spelling(a, difference.a);
    const std::u32string_view y = spelling(b, difference.b);
    const bool person = is_person(difference.a) && is_person(difference.b);
    const bool name = calculates && may_be_name(a, b, difference) && recurs(x, y);
    renamed.push_back((name || could_rename(a, b, difference, calculates)) && forth.maps(x, y) &&
                      back.maps(y, x) && !occurs_beside(x, y, b) && !occurs_beside(y, x, a) &&
                      (person || mentioned.maps(x, y)));
  }
  return renamed;
}

bool refers_back(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference) {
  if (one_sided(difference) || !all_unlisted(difference)) return false;
  const std::u32string_view x = spelling(a, difference.a);
  const std::u32string_view y = spelling(b, difference.b);
  if (is_pointed_at(a, difference.a.front().begin) && is_pointed_at(b, difference.b.front().begin) &&
      !occurs(x, b) && !occurs(y, a)) {
    return true;
  }
  return is_short_for(y, difference.b.front().begin, b, x, a) ||
         is_short_for(x, difference.a.front().begin, a, y, b);
}

bool renames_part(const QuestionLayout& a, const QuestionLayout& b, const Difference& difference) {
  if (difference.a.empty() || difference.b.empty()) return false;
  const std::u32string_view x = spelling(a, difference.a);
  const std::u32string_view y = spelling(b, difference.b);
  if (x.find(y) != std::u32string_view::npos || y.find(x) != std::u32string_view::npos)
    return false;  // 制 for 制度
  return occurs(x, b) || occurs(y, a);
}

}  // namespace qdedup::refine
