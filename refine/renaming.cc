#include "refine/renaming.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "refine/word_doubts.h"

namespace qdedup::refine {
namespace {

bool is_person(std::span<const Token> tokens) {
  return tokens.size() == 1 && tokens.front().word.kind == WordKind::person;
}

bool occurs(std::u32string_view word, const QuestionLayout& layout) {
  return layout.characters.find(word) != std::u32string::npos;
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
  return calculates && word_doubts(a, b, difference, calculates).empty();
}

}  // namespace

std::vector<bool> renamings(const QuestionLayout& a, const QuestionLayout& b,
                            const std::vector<Difference>& differences, bool calculates) {
  NameMap forth;
  NameMap back;
  NameMap mentioned;  // outside the clause that asks
  for (const Difference& difference : differences) {
    const std::u32string_view x = spelling(a, difference.a);
    const std::u32string_view y = spelling(b, difference.b);
    forth.add(x, y);
    back.add(y, x);
    if (!difference.asks()) mentioned.add(x, y);
  }
  std::vector<bool> renamed;
  for (const Difference& difference : differences) {
    const std::u32string_view x = spelling(a, difference.a);
    const std::u32string_view y = spelling(b, difference.b);
    const bool person = is_person(difference.a) && is_person(difference.b);
    renamed.push_back(could_rename(a, b, difference, calculates) && forth.maps(x, y) && back.maps(y, x) &&
                      !occurs(x, b) && !occurs(y, a) && (person || mentioned.maps(x, y)));
  }
  return renamed;
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
