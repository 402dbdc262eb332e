#include "refine/pair_features.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "refine/asked.h"
#include "refine/character_class.h"
#include "refine/distance.h"
#include "refine/edit_kinds.h"
#include "refine/layout_text.h"
#include "refine/question_layout.h"
#include "refine/rule_words.h"
#include "refine/word_edits.h"

namespace qdedup::refine {
namespace {

constexpr std::int32_t unity = 1000;  // values are in thousandths

constexpr std::array<std::string_view, 3> places = {"story", "question", "option"};

// A word that moved, or one more, makes another statement; where something is calculated the numbers say
// more.
enum class Gravity { slight, substantial, grave_in_statements, grave };

struct EditKind {
  std::string_view name;
  Gravity gravity;
};

// Per place. That a person is named is no finding, only a feature.
constexpr auto edit_kinds = [] {
  using enum Gravity;
  return std::array<EditKind, 18>{{{"number-moved", grave},
                                   {"negation", grave},
                                   {"polarity", grave},
                                   {"number-word", grave},
                                   {"unit", grave_in_statements},
                                   {"quantity", grave_in_statements},
                                   {"role-swap", grave_in_statements},
                                   {"renamed-part", substantial},
                                   {"asks-else", substantial},
                                   {"stem-differs", substantial},
                                   {"option-differs", substantial},
                                   {"filler", slight},
                                   {"synonym", slight},
                                   {"misspelling", slight},
                                   {"renamed", slight},
                                   {"repeated", slight},
                                   {"options-reordered", grave_in_statements},
                                   {"person", slight}}};
}();

const EditKind* find_kind(std::string_view reason) {
  return std::ranges::find(edit_kinds, reason_name(reason), &EditKind::name);
}

enum class Amount : std::size_t { inserted, replaced, fresh, one_character, one_for_one, wide, amounts };
constexpr std::array<std::string_view, static_cast<std::size_t>(Amount::amounts)> amount_names = {
    "inserted", "replaced", "fresh", "one-character", "one-for-one", "wide"};

enum class Whole : std::size_t {
  differs,
  grave,
  only_slight,
  edits,
  share_changed,
  length,
  at_begin,
  near_end,
  queries,
  joined,
  asked,
  has_options,
  option_count,
  option_lowest,
  option_mean,
  option_unmatched,
  options_changed,
  options_moved,
  wholes
};
constexpr std::array<std::string_view, static_cast<std::size_t>(Whole::wholes)> whole_names = {
    "pair.differs",      "pair.grave",      "pair.only-slight", "pair.edits",     "pair.share-changed",
    "pair.length",       "pair.at-begin",   "pair.near-end",    "pair.queries",   "pair.joined",
    "pair.asked",        "options.present", "options.count",    "options.lowest", "options.mean",
    "options.unmatched", "options.changed", "options.moved"};

constexpr std::size_t per_place = edit_kinds.size() + amount_names.size();
constexpr std::int32_t max_count = 4;
constexpr std::size_t max_length = 256;  // beyond that a text being longer makes nothing safer

std::size_t index_of(Place place, std::string_view kind) {
  return static_cast<std::size_t>(place) * per_place +
         static_cast<std::size_t>(find_kind(kind) - edit_kinds.begin());
}
std::size_t index_of(Place place, Amount amount) {
  return static_cast<std::size_t>(place) * per_place + edit_kinds.size() + static_cast<std::size_t>(amount);
}
std::size_t index_of(Whole whole) { return places.size() * per_place + static_cast<std::size_t>(whole); }

// Thousandths of the binary logarithm, linear between powers of two.
std::int32_t log2_of(std::uint64_t number) {
  const auto whole = static_cast<std::int32_t>(std::bit_width(number)) - 1;
  const std::uint64_t power = std::uint64_t{1} << whole;
  return whole * unity + static_cast<std::int32_t>((number - power) * unity / power);
}

// Where character `at` of the layout stands in the original text; the end for the character after the last.
std::size_t origin(const QuestionLayout& layout, std::size_t at) {
  if (at > 0) return layout.origins[at - 1] + 1;
  return layout.origins.empty() ? 0 : layout.origins.front();
}

CodePointRange range(const QuestionLayout& layout, Words words, std::size_t at) {
  if (words.empty()) return {origin(layout, at), origin(layout, at)};
  return {layout.origins[words.front().begin], layout.origins[words.back().end - 1] + 1};
}

// 1000 for equal texts, 0 for such that have nothing in common.
std::int32_t likeness(std::u32string_view x, std::u32string_view y) {
  const std::size_t longer = std::max(x.size(), y.size());
  if (longer == 0) return unity;
  return static_cast<std::int32_t>((longer - levenshtein_distance(x, y, longer)) * unity / longer);
}

bool calculate(const QuestionLayout& a, const QuestionLayout& b) {
  return a.options.empty() && b.options.empty() && (a.calculates || b.calculates);
}

class PairReader {
  using enum Amount;
  using enum Whole;

 public:
  PairReader(const QuestionLayout& a, const QuestionLayout& b, const CharacterCounts& bank)
      : a_(a),
        b_(b),
        bank_(bank),
        features_{calculate(a, b), std::vector<std::int32_t>(feature_names().size()), {}} {}

  PairFeatures read() && {
    const WordEdits in_stem = word_edits(a_, a_.stem, b_, b_.stem, false);
    compare_options();
    judge(in_stem, known_edits(a_, b_, in_stem, features_.calculates),
          known_edits(a_, b_, option_edits_, features_.calculates));
    const std::size_t longer = std::max({a_.characters.size(), b_.characters.size(), std::size_t{1}});
    set(share_changed, static_cast<std::int32_t>(std::min(changed_, longer) * unity / longer) * 4);
    set(length, log2_of(std::min(longer, max_length)));
    compare_questions();
    if (features_.findings.empty() && features_.values[index_of(asked)] == 0) return std::move(features_);
    set(differs, unity);
    if (std::ranges::none_of(features_.findings, is_substantial)) {
      if (features_.values[index_of(asked)] == 0) {
        set(only_slight, unity);
      } else {
        features_.findings.push_back({"asks-else", range(a_, a_.stem, 0), range(b_, b_.stem, 0)});
      }
    }
    if (features_.is_grave) set(grave, unity);
    return std::move(features_);
  }

 private:
  void judge(const WordEdits& in_stem, const std::vector<KnownEdit>& of_stem,
             const std::vector<KnownEdit>& of_options) {
    const bool any_matters =
        !features_.calculates && (features_.values[index_of(Place::option, "option-differs")] > 0 ||
                                  features_.values[index_of(Place::option, "options-reordered")] > 0 ||
                                  !std::ranges::all_of(of_stem, is_harmless, &KnownEdit::kind) ||
                                  !std::ranges::all_of(of_options, is_harmless, &KnownEdit::kind));
    std::vector<Finding> of_whole_options = std::exchange(features_.findings, {});
    judge(in_stem.differing, of_stem, any_matters);
    std::ranges::move(of_whole_options, std::back_inserter(features_.findings));
    judge(option_edits_.differing, of_options, any_matters);
  }

  // Beside an edit that may make another question, those that make none count for nothing: otherwise they
  // would outvote it.
  void judge(const std::vector<WordEdit>& edits, const std::vector<KnownEdit>& all, bool any_matters) {
    const KnownEdit* before = nullptr;
    std::set<std::pair<std::size_t, std::size_t>> matter;
    for (const KnownEdit& known : all) {
      if (!is_harmless(known.kind)) matter.emplace(known.edit.a_at, known.edit.b_at);
      note(known, !any_matters || !is_harmless(known.kind));
      if (asks_for_another(before == nullptr ? known : *before, known) || asks_for_more(known) ||
          exchanges_compared(known))
        features_.is_grave = true;
      before = &known;
    }
    for (const WordEdit& edit : edits) {
      if (any_matters && !matter.contains({edit.a_at, edit.b_at})) continue;
      measure(edit);
      if (edit.place != Place::option) place(edit);
    }
  }

  static bool is_harmless(std::string_view kind) {
    return kind == "filler" || kind == "synonym" || kind == "misspelling";
  }

  [[nodiscard]] bool carry_meaning(Words words) const {
    return !std::ranges::all_of(
        words, [this](const Token& word) { return is_function_word(word, features_.calculates); });
  }

  // 原价 in place of 进价, or 甲 of 乙, in the clause that asks. `first` and `second` are two kinds of one
  // edit, or of two.
  [[nodiscard]] bool asks_for_another(const KnownEdit& first, const KnownEdit& second) const {
    const WordEdit& edit = second.edit;
    if (!features_.calculates || !carry_meaning(edit.a) || !carry_meaning(edit.b)) return false;
    const bool is_quantity =
        first.kind == "quantity" && first.edit.a_at == edit.a_at && first.edit.b_at == edit.b_at;
    return second.kind == "renamed-part"
               ? edit.place == Place::question || (is_label(a_, edit.a) && is_label(b_, edit.b))
               : second.kind == "asks-else" && is_quantity;
  }

  static bool is_label(const QuestionLayout& layout, Words words) {
    return words.size() == 1 && words[0].word.length == 1 &&
           is_one_of(layout.characters[words[0].begin], rule_words::labels);
  }

  // Does a comparison, a share or a rate come in here, the quantity that is asked for, or a unit in which no
  // number is given? 花布比白布多多少米, 几分之几, 利润率, 产量的增长率, 多少毫升
  [[nodiscard]] bool asks_for_more(const KnownEdit& known) const {
    const WordEdit& edit = known.edit;
    if (!features_.calculates || (known.kind != "quantity" && known.kind != "unit")) return false;
    const bool in_question = edit.place == Place::question;
    if (in_question &&
        (compares(a_, edit.a) != compares(b_, edit.b) || changes(a_, edit.a) != changes(b_, edit.b) ||
         asks_for_share(a_, edit.a) != asks_for_share(b_, edit.b)))
      return true;
    if (known.kind == "quantity" &&
        ((has_relation(edit.a) && has_relation(edit.b)) || is_rate(a_, edit.a) != is_rate(b_, edit.b)))
      return true;
    const bool in_a = carry_meaning(edit.a);
    if (in_a == carry_meaning(edit.b)) return in_a && compares(a_, edit.a) != compares(b_, edit.b);
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

  // 利润率
  static bool is_rate(const QuestionLayout& layout, Words words) {
    return !words.empty() && layout.characters[words.back().end - 1] == rule_words::rate;
  }

  // 海水, 通风管
  static bool has_relation(Words words) {
    return std::ranges::any_of(words, [](const Token& word) {
      return word.word.kind == WordKind::relation && word.word.length > 1;
    });
  }

  // 增加, 减少
  static bool changes(const QuestionLayout& layout, Words words) {
    return std::ranges::any_of(
        words, [&](const Token& word) { return is_listed(rule_words::changes, layout.spelling(word)); });
  }

  // 鸡比鸭, 鸭比鸡
  [[nodiscard]] bool exchanges_compared(const KnownEdit& known) const {
    const WordEdit& edit = known.edit;
    if (!features_.calculates || known.kind != "role-swap") return false;
    if (compares(a_, edit.a) || compares(b_, edit.b)) return true;
    return carry_meaning(edit.a) && carry_meaning(edit.b) && compares(a_, clause_of(a_, edit.a));
  }

  static Words clause_of(const QuestionLayout& layout, Words words) {
    auto begin = layout.stem.begin() + (words.data() - layout.stem.data());
    const auto end =
        std::find_if(begin + 1, layout.stem.end(), [](const Token& word) { return word.begins; });
    while (!begin->begins) --begin;
    return {begin, end};
  }

  static bool compares(const QuestionLayout& layout, Words words) {
    return std::ranges::any_of(
        words, [&](const Token& word) { return layout.spelling(word) == rule_words::compared_with; });
  }

  // How often words differ that make no other question says nothing about the rest; that they do shows that
  // the sources differ.
  void note(const KnownEdit& known, bool counts) {
    const WordEdit& edit = known.edit;
    if (edit.place == Place::question && !is_harmless(known.kind)) question_differs_ = true;
    if (counts)
      add(index_of(edit.place, known.kind), unity, is_harmless(known.kind) ? unity : max_count * unity);
    features_.findings.push_back({known.kind, range(a_, edit.a, edit.a_at), range(b_, edit.b, edit.b_at)});
    note_gravity(known.kind);
    const auto has = [](Words words, WordKind kind) {
      return std::ranges::any_of(words, [kind](const Token& word) { return word.word.kind == kind; });
    };
    const bool other_unit =
        known.kind == "unit" && has(edit.a, WordKind::unit) && has(edit.b, WordKind::unit);
    const bool other_person = (known.kind == "role-swap" || known.kind == "renamed-part") &&
                              (has(edit.a, WordKind::person) || has(edit.b, WordKind::person));
    const bool other_option = known.kind == "renamed-part" && edit.place == Place::option;
    if (other_unit || other_person || other_option) features_.is_grave = true;
  }

  // How much is new in an edit. What is written for one another by mistake is not.
  void measure(const WordEdit& edit) {
    for (const Token& word : edit.a) changed_ += word.end - word.begin;
    for (const Token& word : edit.b) changed_ += word.end - word.begin;
    add(index_of(edits), unity, 2 * max_count * unity);
    if (is_misspelling(a_, b_, edit)) return;
    std::int32_t weight = 0;
    std::int32_t fresh_weight = 0;
    std::size_t characters = 0;
    const auto weigh = [&](const QuestionLayout& here, Words words, const QuestionLayout& there) {
      for (const Token& word : words) {
        if (word.word.kind == WordKind::person) add(index_of(edit.place, "person"), unity, max_count * unity);
        if (is_function_word(word, features_.calculates) || word.word.kind == WordKind::sign) continue;
        std::int32_t rarity_of_word = 0;
        for (const char32_t c : here.spelling(word)) rarity_of_word += rarity(c);
        weight += rarity_of_word;
        characters += word.end - word.begin;
        if (there.characters.find(here.spelling(word)) == std::u32string::npos)
          fresh_weight += rarity_of_word;
      }
    };
    weigh(a_, edit.a, b_);
    const std::size_t a_characters = characters;
    weigh(b_, edit.b, a_);
    const std::size_t widest = std::max(a_characters, characters - a_characters);
    if (!edit.is_insertion() && widest > 1) add(index_of(edit.place, wide), unity, max_count * unity);
    constexpr std::int32_t max_weight = 10 * unity;
    add(index_of(edit.place, edit.is_insertion() ? inserted : replaced), weight / 10, max_weight);
    add(index_of(edit.place, fresh), fresh_weight / 10, max_weight);
    if (edit.a.size() == 1 && edit.b.size() == 1 && characters == 2)
      add(index_of(edit.place, one_for_one), unity, max_count * unity);
    if (edit.is_insertion() && characters == 1)
      add(index_of(edit.place, one_character), unity, max_count * unity);
  }

  // How rare a character is in the bank, in thousandths of a bit.
  [[nodiscard]] std::int32_t rarity(char32_t c) const {
    constexpr std::uint64_t min_questions = 1000;
    constexpr std::int32_t unknown = 7 * unity;
    if (bank_.questions() < min_questions) return unknown;
    return std::max(log2_of(bank_.questions() + 1) - log2_of(bank_.count(c) + 1), 0);
  }

  void place(const WordEdit& edit) {
    const auto end = [](const Tokens& stem) { return stem.empty() ? 0 : stem.back().end; };
    constexpr std::size_t near = 4;
    if (std::max(edit.a_at, edit.b_at) == 0) set(at_begin, unity);
    if (end(a_.stem) <= edit.a_at + near || end(b_.stem) <= edit.b_at + near) set(near_end, unity);
  }

  void compare_questions() {
    const Asked a = asked_by(a_);
    const Asked b = asked_by(b_);
    const auto set_gap = [this](Whole whole, std::int32_t x, std::int32_t y) {
      set(whole, std::min(std::abs(x - y), max_count) * unity);
    };
    set_gap(queries, a.queries, b.queries);
    set_gap(joined, a.joined, b.joined);
    set_gap(asked, a.things, b.things);
    if (!features_.calculates) return;
    const auto only_one_says = [this](const auto& words) {
      const auto says = [&words](const QuestionLayout& layout) {
        return std::ranges::any_of(words, [&](std::u32string_view word) {
          return layout.characters.find(word) != std::u32string::npos;
        });
      };
      return says(a_) != says(b_);
    };
    const auto asks_for_total = [](const QuestionLayout& layout) {
      return std::ranges::any_of(layout.stem, [&](const Token& word) {
        return word.asks && is_listed(rule_words::totals, layout.spelling(word));
      });
    };
    const bool another_total = asks_for_total(a_) != asks_for_total(b_) && question_differs_;
    if (a.things != b.things || another_total || only_one_says(rule_words::choices_of_a_root) ||
        only_one_says(rule_words::ways_back))
      features_.is_grave = true;
  }

  void compare_options() {
    const std::size_t both = std::min(a_.options.size(), b_.options.size());
    for (std::size_t i = both; i < a_.options.size(); ++i) miss(a_.options[i], {});
    for (std::size_t i = both; i < b_.options.size(); ++i) miss({}, b_.options[i]);
    if (both == 0) return;
    set(has_options, unity);
    std::int32_t lowest = unity;
    std::int32_t sum = 0;
    std::int32_t unmatched = unity;
    for (std::size_t i = 0; i < both; ++i) {
      const std::u32string_view x = spelling_of(a_, a_.options[i]);
      const std::u32string_view y = spelling_of(b_, b_.options[i]);
      const std::int32_t alike = likeness(x, y);
      lowest = std::min(lowest, alike);
      sum += alike;
      if (alike == unity) continue;
      unmatched = std::min({unmatched, best_match(x, b_, alike), best_match(y, a_, alike)});
      compare_option(i);
    }
    set(option_lowest, unity - lowest);
    set(option_mean, (unity - sum / static_cast<std::int32_t>(both)) * 2);
    set(option_unmatched, unity - unmatched);
  }

  // How much the most alike of the other's options is so.
  static std::int32_t best_match(std::u32string_view option, const QuestionLayout& other, std::int32_t best) {
    for (const Tokens& candidate : other.options)
      best = std::max(best, likeness(option, spelling_of(other, candidate)));
    return best;
  }

  static bool has_option(const QuestionLayout& layout, std::u32string_view option) {
    return std::ranges::any_of(layout.options,
                               [&](const Tokens& other) { return spelling_of(layout, other) == option; });
  }

  void compare_option(std::size_t i) {
    const Tokens& x = a_.options[i];
    const Tokens& y = b_.options[i];
    add(index_of(options_changed), unity, max_count * unity);
    if (has_option(b_, spelling_of(a_, x)) || has_option(a_, spelling_of(b_, y))) {
      add(index_of(options_moved), unity, max_count * unity);
      add_whole("options-reordered", x, y);
    } else if (likeness(spelling_of(a_, x), spelling_of(b_, y)) < unity / 2) {
      add_whole("option-differs", x, y);
      for (const KnownEdit& known : known_edits(a_, b_, word_edits(a_, x, b_, y, true), features_.calculates))
        note_gravity(known.kind);
    } else {
      WordEdits found = word_edits(a_, x, b_, y, true);
      std::ranges::move(found.differing, std::back_inserter(option_edits_.differing));
      std::ranges::move(found.other_bases, std::back_inserter(option_edits_.other_bases));
      std::ranges::move(found.synonyms, std::back_inserter(option_edits_.synonyms));
    }
  }

  void miss(const Tokens& x, const Tokens& y) {
    add(index_of(option_count), unity, max_count * unity);
    add_whole("option-differs", x, y);
  }

  void add_whole(std::string_view kind, const Tokens& x, const Tokens& y) {
    add(index_of(Place::option, kind), unity, max_count * unity);
    note_gravity(kind);
    features_.findings.push_back(
        {std::string(kind), range(a_, x, a_.characters.size()), range(b_, y, b_.characters.size())});
    changed_ += spelling_of(a_, x).size() + spelling_of(b_, y).size();
  }

  void note_gravity(std::string_view kind) {
    const Gravity gravity = find_kind(kind)->gravity;
    if (gravity == Gravity::grave || (gravity == Gravity::grave_in_statements && !features_.calculates))
      features_.is_grave = true;
  }

  void add(std::size_t index, std::int32_t value, std::int32_t max) {
    features_.values[index] = std::min(features_.values[index] + value, max);
  }
  void set(Whole whole, std::int32_t value) { features_.values[index_of(whole)] = value; }

  const QuestionLayout& a_;
  const QuestionLayout& b_;
  const CharacterCounts& bank_;
  PairFeatures features_;
  WordEdits option_edits_;
  std::size_t changed_ = 0;
  bool question_differs_ = false;
};

}  // namespace

const std::vector<std::string>& feature_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const std::string_view place : places) {
      for (const EditKind& kind : edit_kinds)
        all.push_back(std::string(place) + '.' + std::string(kind.name));
      for (const std::string_view amount : amount_names)
        all.push_back(std::string(place) + '.' + std::string(amount));
    }
    all.insert(all.end(), whole_names.begin(), whole_names.end());
    return all;
  }();
  return names;
}

bool is_substantial(const Finding& finding) { return find_kind(finding.kind)->gravity != Gravity::slight; }

PairFeatures pair_features(std::string_view question, std::string_view keeper, const CharacterCounts& bank) {
  if (question == keeper || kept_characters(question) == kept_characters(keeper)) {
    return {false, std::vector<std::int32_t>(feature_names().size()), {}};
  }
  const bool exchanged = keeper < question;
  NameIndex names;
  QuestionLayout a = read_layout(exchanged ? keeper : question, names);
  QuestionLayout b = read_layout(exchanged ? question : keeper, names);
  if (calculate(a, b)) loosen_asked_units(a, b);
  PairFeatures features = PairReader(a, b, bank).read();
  if (exchanged) {
    for (Finding& finding : features.findings) std::swap(finding.question, finding.keeper);
  }
  return features;
}

}  // namespace qdedup::refine
