#include "refine/edit_kinds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "refine/asked.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

bool is_sign(const Token& word) { return word.word.kind == WordKind::sign; }

bool is_person(const Token& word) { return word.word.kind == WordKind::person; }

bool relates(const Token& word) {
  const WordKind kind = word.word.kind;
  return kind == WordKind::relation || kind == WordKind::quantity ||
         (kind != WordKind::filler && kind != WordKind::calculation_filler &&
          Vocabulary::instance().has_opposite(word.word.meaning));
}

// The meanings of 只, 都, 一定 and the like, each with that of the first of those that say the same.
std::map<char32_t, char32_t> known_qualifiers() {
  std::map<char32_t, char32_t> known;
  const auto meaning = [](std::u32string_view word) {
    return Vocabulary::instance().first_word(word).meaning;
  };
  const auto add_alike = [&](const auto& words) {
    for (const std::u32string_view word : words) known[meaning(word)] = meaning(words.front());
  };
  add_alike(rule_words::all_of_them);
  add_alike(rule_words::surely);
  for (const std::u32string_view word : rule_words::other_qualifiers) known[meaning(word)] = meaning(word);
  return known;
}

// What such words say. A filler says nothing, as 只 of 3只 and 主要 in 主要原因是什么; but a statement with
// 主要 is another one.
std::set<char32_t> qualifications(Words words, Place place) {
  static const std::map<char32_t, char32_t> known = known_qualifiers();
  static const char32_t mainly = Vocabulary::instance().first_word(rule_words::mainly).meaning;
  std::set<char32_t> found;
  for (const Token& word : words) {
    const bool is_stated = word.word.meaning == mainly && place != Place::question;
    if (word.word.kind == WordKind::filler && !is_stated) continue;
    if (const auto qualifier = known.find(word.word.meaning); qualifier != known.end())
      found.insert(qualifier->second);
  }
  return found;
}

// The meanings of the words that `matters` chooses, sorted.
template <class Matters>
std::u32string chosen_meanings(Words words, Matters matters) {
  std::u32string meanings;
  for (const Token& word : words) {
    if (matters(word)) meanings.push_back(word.word.meaning);
  }
  std::ranges::sort(meanings);
  return meanings;
}

bool share_any(const std::u32string& x, const std::u32string& y) {
  return std::ranges::any_of(x, [&y](char32_t meaning) { return y.find(meaning) != std::u32string::npos; });
}

template <class Matters>
bool differ_in(const WordEdit& edit, Matters matters) {
  return chosen_meanings(edit.a, matters) != chosen_meanings(edit.b, matters);
}

bool differ_in(const WordEdit& edit, WordKind kind) {
  return differ_in(edit, [kind](const Token& word) { return word.word.kind == kind; });
}

// 正确 and 不正确 are a word and its negation; 多 and 少 two words.
std::string opposition(std::u32string_view x, std::u32string_view y) {
  if (x.ends_with(y) || y.ends_with(x)) return "negation";
  return "polarity:" + to_utf8(x) + "/" + to_utf8(y);
}

// The first pair of opposites that the two sides hold, in the order of the list.
std::optional<std::string> polarity(const QuestionLayout& a, const QuestionLayout& b, const WordEdit& edit) {
  const Vocabulary& vocabulary = Vocabulary::instance();
  const auto opposable = [&vocabulary](Words words) {
    std::vector<Token> chosen;
    for (const Token& word : words) {
      const auto same = [&word](const Token& other) { return other.word.meaning == word.word.meaning; };
      if (vocabulary.has_opposite(word.word.meaning) && std::ranges::none_of(chosen, same))
        chosen.push_back(word);
    }
    return chosen;
  };
  for (const Token& x : opposable(edit.a)) {
    for (const Token& y : opposable(edit.b)) {
      if (vocabulary.opposites(x.word.meaning, y.word.meaning))
        return opposition(a.spelling(x), b.spelling(y));
      if (vocabulary.opposites(y.word.meaning, x.word.meaning))
        return opposition(b.spelling(y), a.spelling(x));
    }
  }
  return std::nullopt;
}

bool holds(const QuestionLayout& layout, std::u32string_view text) {
  return layout.characters.find(text) != std::u32string::npos;
}

// Does it hold `text` other than as a part of `longer`?
bool holds_apart(const QuestionLayout& layout, std::u32string_view text, std::u32string_view longer) {
  const std::size_t offset = longer.find(text);
  if (offset == std::u32string_view::npos) return holds(layout, text);
  const std::u32string_view all = layout.characters;
  for (std::size_t at = all.find(text); at != std::u32string_view::npos; at = all.find(text, at + 1)) {
    if (at < offset || !all.substr(at - offset).starts_with(longer)) return true;
  }
  return false;
}

// Neither asks nor counts.
bool may_name(Words words) {
  return std::ranges::none_of(words, [](const Token& word) {
    return is_sign(word) || word.word.kind == WordKind::query || word.word.kind == WordKind::unit;
  });
}

class EditReader {
 public:
  EditReader(const QuestionLayout& a, const QuestionLayout& b, const WordEdits& edits, bool calculates)
      : a_(a), b_(b), edits_(edits.differing), calculates_(calculates) {
    for (const WordEdit& edit : edits_) {
      if (edit.is_insertion()) continue;
      note(forth_, spelling_of(a_, edit.a), spelling_of(b_, edit.b));
      note(back_, spelling_of(b_, edit.b), spelling_of(a_, edit.a));
    }
    asks_otherwise_ = asks_otherwise();
    for (const WordEdit& edit : edits_) read(edit);
    if (calculates_) read_moved_equalities();
    for (const WordEdit& edit : edits.synonyms) {
      const bool tells = tells_apart(edit) || is_about_meanings();
      add(edit, tells ? content_kind(edit, false) : unless_cited(edit, "synonym"));
    }
    for (const WordEdit& edit : edits.other_bases) add(edit, "number-moved");
  }

  std::vector<KnownEdit> take() && { return std::move(known_); }

 private:
  using Names = std::map<std::u32string_view, std::u32string_view>;

  // The name that a word has in the other question; empty if it has several.
  static void note(Names& names, std::u32string_view from, std::u32string_view to) {
    const auto [found, is_new] = names.try_emplace(from, to);
    if (!is_new && found->second != to) found->second = {};
  }

  void read(const WordEdit& edit) {
    if (is_misspelling(a_, b_, edit) && !tells_apart(edit))
      return add(edit, unless_cited(edit, "misspelling"));
    if (restates_rest(edit)) return add(edit, "filler");
    const std::size_t before = known_.size();
    read_words(edit);
    const bool has_content = any_carries_meaning(edit.a) || any_carries_meaning(edit.b) ||
                             (asks_otherwise_ && (any_asks(edit.a) || any_asks(edit.b)));
    if (!has_content && known_.size() == before && !exchanges_oddly(edit) && !counts_another(edit))
      return add(edit, unless_cited(edit, "filler"));
    if (has_content || known_.size() == before) add(edit, content_kind(edit, known_.size() == before));
  }

  [[nodiscard]] bool carries_meaning(const Token& word) const {
    return !is_function_word(word, calculates_) && !is_sign(word);
  }

  [[nodiscard]] bool any_carries_meaning(Words words) const {
    return std::ranges::any_of(words, [this](const Token& word) { return carries_meaning(word); });
  }

  // Without the function words around it: 红 of 只红.
  [[nodiscard]] std::u32string_view name_of(const QuestionLayout& layout, Words words) const {
    const auto carries = [this](const Token& word) { return carries_meaning(word); };
    const auto first = std::ranges::find_if(words, carries);
    if (first == words.end()) return spelling_of(layout, words);
    const auto last = std::find_if(words.rbegin(), words.rend(), carries);
    return layout.spelling(first->begin, last->end);
  }

  [[nodiscard]] bool share_meaning(Words x, Words y) const {
    const auto matters = [this](const Token& word) { return carries_meaning(word); };
    return share_any(chosen_meanings(x, matters), chosen_meanings(y, matters));
  }

  static bool any_asks(Words words) { return std::ranges::any_of(words, is_query); }

  // What the query words ask for. In a calculation 什么 and 哪 ask for a number, as 多少 does.
  [[nodiscard]] std::u32string asked_for(Words words) const {
    const Vocabulary& vocabulary = Vocabulary::instance();
    std::u32string asked = chosen_meanings(words, is_query);
    for (char32_t& meaning : asked) {
      meaning = vocabulary.asked_by(meaning);
      if (calculates_ && (meaning == vocabulary.first_word(rule_words::what).meaning ||
                          meaning == vocabulary.first_word(rule_words::which).meaning))
        meaning = vocabulary.asked_by(vocabulary.first_word(rule_words::how_many).meaning);
    }
    return asked;
  }

  [[nodiscard]] bool is_about_meanings() const {
    return std::ranges::any_of(rule_words::word_meanings, [this](std::u32string_view name) {
      return holds(a_, name) || holds(b_, name);
    });
  }

  // Do the two ask for something, and not for the same? 应怎样维护, 为什么应维护
  [[nodiscard]] bool asks_otherwise() const {
    std::u32string x;
    std::u32string y;
    for (const WordEdit& edit : edits_) {
      x += asked_for(edit.a);
      y += asked_for(edit.b);
    }
    return !x.empty() && !y.empty() && !share_any(x, y);
  }

  // What its words say by themselves, wherever they stand.
  void read_words(const WordEdit& edit) {
    if (differ_in(edit, WordKind::sign) || changes_to_another(edit) || counts_each(edit))
      add(edit, "number-moved");
    if (differ_in(edit, WordKind::negation)) add(edit, "negation");
    if (auto opposites = polarity(a_, b_, edit)) add(edit, *std::move(opposites));
    if (differ_in(edit, WordKind::number)) add(edit, "number-word");
    if (differ_in(edit, WordKind::unit)) add(edit, "unit");
    const bool in_quantity = calculates_
                                 ? differ_in(edit, relates) || does_another_thing(edit)
                                 : qualifications(edit.a, edit.place) != qualifications(edit.b, edit.place);
    if (in_quantity) add(edit, "quantity");
  }

  // 提高到, 提高了
  [[nodiscard]] bool changes_to_another(const WordEdit& edit) const {
    const auto says_to = [](const QuestionLayout& layout, Words words) {
      return std::ranges::any_of(
          words, [&](const Token& word) { return layout.spelling(word) == rule_words::up_to; });
    };
    if (says_to(a_, edit.a) == says_to(b_, edit.b) || edit.a_at == 0) return false;
    const std::u32string_view before = a_.spelling(0, edit.a_at);
    return std::ranges::any_of(rule_words::changes,
                               [before](std::u32string_view change) { return before.ends_with(change); });
  }

  // 每人200元, 200元
  [[nodiscard]] bool counts_each(const WordEdit& edit) const {
    const auto before_number = [](const QuestionLayout& layout, Words words, const QuestionLayout& other) {
      const auto next = after(layout, words);
      const auto is_each = [&layout](const Token& word) {
        return is_one_of(layout.characters[word.begin], rule_words::each);
      };
      return next != layout.stem.end() && next->word.kind == WordKind::sign &&
             std::ranges::any_of(words, is_each) && !holds(other, spelling_of(layout, words));
    };
    return calculates_ && edit.is_insertion() &&
           (before_number(a_, edit.a, b_) || before_number(b_, edit.b, a_));
  }

  // The words that say that two things are equal, of one side.
  static std::ptrdiff_t equalities(const QuestionLayout& layout, Words words) {
    return std::ranges::count_if(words, [&layout](const Token& word) {
      return is_listed(rule_words::equalities, layout.spelling(word));
    });
  }

  // Does 是 change its place among words without numbers? 小红是他的3倍, 他是小红的3倍: 3 is taken of
  // another.
  void read_moved_equalities() {
    const auto more = [this](const WordEdit& edit) {
      return equalities(a_, edit.a) - equalities(b_, edit.b);
    };
    const WordEdit* first = nullptr;
    for (const WordEdit& second : edits_) {
      if (more(second) == 0) continue;
      if (first != nullptr && more(*first) * more(second) < 0) {
        const std::size_t begin = first->a.empty() ? first->a_at : first->a.back().end;
        const std::u32string_view between = a_.spelling(begin, std::max(begin, second.a_at));
        if (std::ranges::all_of(between, HanTable<std::uint8_t>::covers)) add(second, "number-moved");
      }
      first = &second;
    }
  }

  // Are both said once, of an amount or in the question? 输了3个, 赢了3个; 排头, 中间. What is only named
  // otherwise is mostly named again.
  [[nodiscard]] bool does_another_thing(const WordEdit& edit) const {
    return !edit.is_insertion() && may_name(edit.a) && may_name(edit.b) &&
           is_said_once(a_, edit.a, edit.place) && is_said_once(b_, edit.b, edit.place);
  }

  [[nodiscard]] bool is_said_once(const QuestionLayout& layout, Words words, Place place) const {
    const auto end = layout.stem.end();
    auto next = after(layout, words);
    while (next != end &&
           (next->complements || is_one_of(layout.spelling(*next).front(), rule_words::aspects)))
      ++next;
    const bool of_amount = next != end && (is_sign(*next) || next->word.kind == WordKind::number);
    const std::u32string_view spelling = spelling_of(layout, words);
    const std::u32string& all = layout.characters;
    const auto carries = [this](const Token& word) { return carries_meaning(word); };
    return (of_amount || place == Place::question) && std::ranges::all_of(words, carries) &&
           !std::ranges::all_of(words, is_person) && all.find(spelling) == all.rfind(spelling);
  }

  std::string content_kind(const WordEdit& edit, bool only) {
    if (only && is_renamed(edit)) return "renamed";
    if (is_moved(edit)) return moves_freely(edit) ? "filler" : "role-swap";
    if (renames_part(edit)) return "renamed-part";
    if (repeats(edit) && !distinguishes(edit)) return "repeated";
    return differs(edit);
  }

  static std::string differs(const WordEdit& edit) {
    if (edit.place == Place::option) return "option-differs";
    return edit.place == Place::question ? "asks-else" : "stem-differs";
  }

  // A word that is cited is what the question is about.
  static std::string unless_cited(const WordEdit& edit, std::string kind) {
    const bool cited =
        std::ranges::any_of(edit.a, &Token::cited) || std::ranges::any_of(edit.b, &Token::cited);
    return cited ? differs(edit) : std::move(kind);
  }

  // One filler of a character stands for another that it is not usually exchanged for: likely both are parts
  // of longer words, as in 能指 and 所指.
  [[nodiscard]] bool exchanges_oddly(const WordEdit& edit) const {
    if (calculates_ || edit.a.size() != 1 || edit.b.size() != 1) return false;
    const std::u32string_view x = spelling_of(a_, edit.a);
    const std::u32string_view y = spelling_of(b_, edit.b);
    return x.size() == 1 && y.size() == 1 && !Vocabulary::instance().exchangeable(x.front(), y.front());
  }

  // Is each of them another of the things that both texts count? 每本10张，每张2元; 每本10张，每本2元
  [[nodiscard]] bool counts_another(const WordEdit& edit) const {
    const auto follows_each = [](const QuestionLayout& layout, Words words) {
      return words.size() == 1 && words[0].begin > 0 &&
             is_one_of(layout.characters[words[0].begin - 1], rule_words::each);
    };
    return follows_each(a_, edit.a) && follows_each(b_, edit.b) && holds(b_, spelling_of(a_, edit.a)) &&
           holds(a_, spelling_of(b_, edit.b));
  }

  // Not “both of them” or “in total”.
  static bool is_name(const QuestionLayout& layout, Words words) {
    return std::ranges::all_of(words, [&layout](const Token& word) {
      const WordKind kind = word.word.kind;
      const bool is_plain = kind == WordKind::content || kind == WordKind::person ||
                            kind == WordKind::filler || kind == WordKind::calculation_filler;
      return is_plain && !is_listed(rule_words::of_all, layout.spelling(word)) &&
             !is_listed(rule_words::totals, layout.spelling(word));
    });
  }

  // Does one name stand for the other throughout?
  [[nodiscard]] bool is_renamed(const WordEdit& edit) const {
    const bool people = std::ranges::all_of(edit.a, is_person) && std::ranges::all_of(edit.b, is_person);
    if (edit.is_insertion() || !(people || calculates_) || !is_name(a_, edit.a) || !is_name(b_, edit.b))
      return false;
    const std::u32string_view x = spelling_of(a_, edit.a);
    const std::u32string_view y = spelling_of(b_, edit.b);
    return forth_.at(x) == y && back_.at(y) == x && !holds(b_, x) && !holds(a_, y) && in_both(edit) == 0;
  }

  // Does a word that this edit takes away come back in another one, or the other way round?
  [[nodiscard]] bool is_moved(const WordEdit& edit) const {
    return std::ranges::any_of(edits_, [&](const WordEdit& other) {
      return &other != &edit && (share_meaning(edit.a, other.b) || share_meaning(edit.b, other.a));
    });
  }

  // Does it pass nothing but 的, or, in a calculation, what is asked for? 新的时代, 的新时代; 要铁皮多少米,
  // 要多少米铁皮
  [[nodiscard]] bool moves_freely(const WordEdit& edit) const {
    const auto here = std::ranges::find(edits_, &edit, [](const WordEdit& other) { return &other; });
    if (here == edits_.end()) return false;
    return (here != edits_.begin() && is_free_move(*std::prev(here), edit)) ||
           (std::next(here) != edits_.end() && is_free_move(edit, *std::next(here)));
  }

  [[nodiscard]] bool is_free_move(const WordEdit& first, const WordEdit& second) const {
    const auto carried = [this](Words words) {
      return chosen_meanings(words, [this](const Token& word) { return carries_meaning(word); });
    };
    const bool moves_all = carried(first.a) == carried(second.b) && carried(first.b) == carried(second.a) &&
                           carried(first.a).empty() != carried(first.b).empty();
    if (!moves_all) return false;
    const std::size_t begin = first.a.empty() ? first.a_at : first.a.back().end;
    if (!calculates_) return is_possessive(a_.spelling(begin, second.a_at));
    bool asks = false;
    auto word = std::ranges::lower_bound(a_.stem, begin, {}, &Token::begin);
    for (; word != a_.stem.end() && word->end <= second.a_at; ++word) {
      if (word->begins || is_sign(*word) || (carries_meaning(*word) && !word->counted)) return false;
      asks = asks || is_query(*word);
    }
    return asks;
  }

  static bool is_possessive(std::u32string_view text) {
    return text.size() == 1 && (text[0] == rule_words::possessive || text[0] == rule_words::classical_of);
  }

  // 没有修 at the end of 还剩多少米没有修, which the other question leaves out
  [[nodiscard]] bool restates_rest(const WordEdit& edit) const {
    if (!calculates_ || edit.place != Place::question || !edit.is_insertion()) return false;
    const auto& [longer, shorter] = edit.b.empty() ? std::tie(a_, b_) : std::tie(b_, a_);
    const Words words = edit.b.empty() ? edit.a : edit.b;
    constexpr std::size_t longest = 3;
    const auto next = after(longer, words);
    const bool ends_clause = next == longer.stem.end() || next->begins;
    if (words.size() < 2 || words.size() > longest || !ends_clause || words.front().begins ||
        !is_listed(rule_words::not_done, longer.spelling(words.front())))
      return false;
    static const char32_t rest = Vocabulary::instance().first_word(rule_words::rest).meaning;
    bool asks = false;
    for (auto word = after(longer, words.first(0)); !word->begins;) {
      --word;
      if (asks) return word->word.meaning == rest && holds(shorter, longer.spelling(*word));
      asks = is_query(*word);
      if (!asks && !word->counted) return false;
    }
    return false;
  }

  [[nodiscard]] bool renames_part(const WordEdit& edit) const { return in_both(edit) > 0; }

  // Do both questions have the two words that are exchanged here? 鹿和鹭…鹿有几只, 鹿和鹭…鹭有几只
  [[nodiscard]] bool tells_apart(const WordEdit& edit) const {
    const std::u32string_view x = spelling_of(a_, edit.a);
    const std::u32string_view y = spelling_of(b_, edit.b);
    return !edit.is_insertion() && may_name(edit.a) && may_name(edit.b) && holds_apart(b_, x, y) &&
           holds_apart(a_, y, x);
  }

  // How many of two words that are exchanged, of which none contains the other, the other question has, too.
  [[nodiscard]] int in_both(const WordEdit& edit) const {
    if (edit.is_insertion()) return 0;
    const std::u32string_view x = name_of(a_, edit.a);
    const std::u32string_view y = name_of(b_, edit.b);
    if (x.find(y) != std::u32string_view::npos || y.find(x) != std::u32string_view::npos) return 0;
    const bool may_be_part = !calculates_ && any_carries_meaning(edit.a) && any_carries_meaning(edit.b);
    const auto is_said = [may_be_part](const QuestionLayout& here, std::u32string_view name,
                                       const QuestionLayout& there) {
      return may_be_part && name.size() == 1 ? holds_with_neighbour(there, here, name) : holds(there, name);
    };
    return (is_said(a_, x, b_) ? 1 : 0) + (is_said(b_, y, a_) ? 1 : 0);
  }

  // Outside of calculations a single character is mostly part of a word, and has to stand in the other
  // question with one of its neighbours: 毒 of 病毒.
  static bool holds_with_neighbour(const QuestionLayout& other, const QuestionLayout& layout,
                                   std::u32string_view name) {
    const auto at = static_cast<std::size_t>(name.data() - layout.characters.data());
    return (at > 0 && holds(other, layout.spelling(at - 1, at + 1))) ||
           (at + 1 < layout.characters.size() && holds(other, layout.spelling(at, at + 2)));
  }

  // Does one question say here what the other says elsewhere? A single character makes another word:
  // 盐和水, 盐和盐水.
  [[nodiscard]] bool repeats(const WordEdit& edit) const {
    const std::u32string_view x = spelling_of(a_, edit.a);
    const std::u32string_view y = spelling_of(b_, edit.b);
    if (!edit.is_insertion() || x.size() + y.size() < 2) return false;
    return (x.empty() || holds(b_, x)) && (y.empty() || holds(a_, y));
  }

  // Does what is inserted choose one of the things that the question tells of? 气球 or 红气球, where some are
  // blue.
  [[nodiscard]] bool distinguishes(const WordEdit& edit) const {
    if (edit.place != Place::question) return false;
    const bool in_a = edit.b.empty();
    const Words words = in_a ? edit.a : edit.b;
    const QuestionLayout& longer = in_a ? a_ : b_;
    const std::u32string& shorter = (in_a ? b_ : a_).characters;
    const auto next = after(longer, words);
    if (!carries_meaning(words.back()) || next == longer.stem.end() || !carries_meaning(*next)) return false;
    const std::u32string_view name = longer.spelling(*next);
    const std::u32string_view chosen = longer.spelling(words.front().begin, next->end);
    if (shorter.find(chosen) == std::u32string::npos) return false;
    for (std::size_t at = shorter.find(name); at != std::u32string::npos; at = shorter.find(name, at + 1)) {
      const bool is_chosen = std::u32string_view(shorter).substr(0, at + name.size()).ends_with(chosen);
      if (!is_chosen && at != (in_a ? edit.b_at : edit.a_at)) return true;
    }
    return false;
  }

  void add(const WordEdit& edit, std::string kind) { known_.push_back({edit, std::move(kind)}); }

  const QuestionLayout& a_;
  const QuestionLayout& b_;
  const std::vector<WordEdit>& edits_;
  bool calculates_;
  bool asks_otherwise_ = false;
  Names forth_;
  Names back_;
  std::vector<KnownEdit> known_;
};

// Are both a character that no list has, read alike?
bool sound_alike(const Token& x, const Token& y) {
  const auto unlisted = [](const Token& word) {
    return word.word.length == 1 && word.word.kind == WordKind::content &&
           !Vocabulary::instance().has_opposite(word.word.meaning);
  };
  return unlisted(x) && unlisted(y) && Vocabulary::instance().homophones(x.word.meaning, y.word.meaning);
}

}  // namespace

bool carry_meaning(Words words, bool calculates) {
  return !std::ranges::all_of(words,
                              [calculates](const Token& word) { return is_function_word(word, calculates); });
}

bool is_harmless(std::string_view kind) {
  return kind == "filler" || kind == "synonym" || kind == "misspelling";
}

bool is_function_word(const Token& word, bool calculates) {
  const WordKind kind = word.word.kind;
  return kind == WordKind::filler || kind == WordKind::query ||
         (kind == WordKind::calculation_filler && calculates) || kind == WordKind::classifier ||
         kind == WordKind::complement || word.complements;
}

bool is_misspelling(const QuestionLayout& a, const QuestionLayout& b, const WordEdit& edit) {
  if (edit.is_insertion()) return false;
  if (std::ranges::equal(edit.a, edit.b, sound_alike)) return true;
  return std::ranges::equal(spelling_of(a, edit.a), spelling_of(b, edit.b), [](char32_t c, char32_t d) {
    return c == d || Vocabulary::instance().confusable(c, d);
  });
}

std::vector<KnownEdit> known_edits(const QuestionLayout& a, const QuestionLayout& b, const WordEdits& edits,
                                   bool calculates) {
  return EditReader(a, b, edits, calculates).take();
}

}  // namespace qdedup::refine
