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

#include "refine/alignment.h"
#include "refine/asked.h"
#include "refine/character_class.h"
#include "refine/distance.h"
#include "refine/edit_kinds.h"
#include "refine/other_calculations.h"
#include "refine/question_layout.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
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
  stem_length,
  at_begin,
  near_end,
  queries,
  joined,
  asked,
  punctuated,
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
    "pair.differs",     "pair.grave",        "pair.only-slight", "pair.edits",    "pair.share-changed",
    "pair.stem-length", "pair.at-begin",     "pair.near-end",    "pair.queries",  "pair.joined",
    "pair.asked",       "pair.punctuated",   "options.present",  "options.count", "options.lowest",
    "options.mean",     "options.unmatched", "options.changed",  "options.moved"};

constexpr std::size_t per_place = edit_kinds.size() + amount_names.size();
constexpr std::int32_t max_count = 4;
constexpr std::size_t max_length = 256;  // beyond that a stem being longer makes nothing safer

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

std::size_t end_of_stem(const QuestionLayout& layout) {
  return layout.stem.empty() ? 0 : layout.stem.back().end;
}

bool calculate(const QuestionLayout& a, const QuestionLayout& b) {
  return a.options.empty() && b.options.empty() && (a.calculates || b.calculates);
}

// What the text has before a character of the layout, or after the last.
std::u32string_view gap(const QuestionLayout& layout, std::u32string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : layout.origins[at - 1] + 1;
  const std::size_t end = at == layout.origins.size() ? text.size() : layout.origins[at];
  return begin < end ? text.substr(begin, end - begin) : std::u32string_view();
}

// Do the texts of two layouts have other punctuation or white space between words that both have? Questions
// of one source that differ in a word mostly do not; what somebody wrote again mostly does.
bool is_punctuated_otherwise(const QuestionLayout& a, std::u32string_view text_of_a, const QuestionLayout& b,
                             std::u32string_view text_of_b) {
  return std::ranges::any_of(align(a.characters, b.characters), [&](const AlignedStretch& stretch) {
    if (!stretch.same) return false;
    const bool at_begin = stretch.a_begin == 0 && stretch.b_begin == 0;
    const bool at_end = stretch.a_end == a.characters.size() && stretch.b_end == b.characters.size();
    const std::size_t gaps = stretch.a_end - stretch.a_begin + (at_end ? 1 : 0);
    for (std::size_t i = at_begin ? 0 : 1; i < gaps; ++i) {
      if (gap(a, text_of_a, stretch.a_begin + i) != gap(b, text_of_b, stretch.b_begin + i)) return true;
    }
    return false;
  });
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
    set(stem_length,
        log2_of(std::clamp(std::max(end_of_stem(a_), end_of_stem(b_)), std::size_t{1}, max_length)));
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
    if (features_.calculates ? are_other_calculations(a_, b_, of_stem)
                             : replaces_throughout(of_stem, of_options) || is_of_another_thing(of_stem))
      features_.is_grave = true;
    std::vector<Finding> of_whole_options = std::exchange(features_.findings, {});
    judge(in_stem.differing, of_stem, any_matters);
    std::ranges::move(of_whole_options, std::back_inserter(features_.findings));
    judge(option_edits_.differing, of_options, any_matters);
  }

  // Beside an edit that may make another question, those that make none count for nothing: otherwise they
  // would outvote it.
  void judge(const std::vector<WordEdit>& edits, const std::vector<KnownEdit>& all, bool any_matters) {
    std::set<std::pair<std::size_t, std::size_t>> matter;
    for (const KnownEdit& known : all) {
      if (!is_harmless(known.kind)) matter.emplace(known.edit.a_at, known.edit.b_at);
      note(known, !any_matters || !is_harmless(known.kind));
    }
    for (const WordEdit& edit : edits) {
      if (any_matters && !matter.contains({edit.a_at, edit.b_at})) continue;
      measure(edit);
      if (edit.place != Place::option) place(edit);
    }
  }

  // One word that tells something for another.
  static bool exchanges_things(const KnownEdit& known) {
    return !known.edit.is_insertion() && is_substantial({known.kind, {}, {}}) &&
           carry_meaning(known.edit.a, false) && carry_meaning(known.edit.b, false);
  }

  // Are there letters that may stand for options?
  static bool may_list(const QuestionLayout& layout) {
    return std::ranges::all_of(std::u32string_view(U"ABC"),
                               [&layout](char32_t letter) { return is_one_of(letter, layout.characters); });
  }

  // 运用联系的观点, in place of 矛盾: without options the words are all that there is. What is true of
  // 哺乳动物 is not true of 动物.
  [[nodiscard]] bool is_of_another_thing(const std::vector<KnownEdit>& of_stem) const {
    if (!a_.options.empty() || !b_.options.empty()) return false;
    const bool lists = may_list(a_) || may_list(b_);
    return std::ranges::any_of(of_stem, [lists](const KnownEdit& known) {
      return exchanges_things(known) ||
             (!lists && is_substantial({known.kind, {}, {}}) &&
              (carry_meaning(known.edit.a, false) || carry_meaning(known.edit.b, false)));
    });
  }

  // 三相电流 of the question and of each option, in place of 三相电压: no slip, but another thing.
  [[nodiscard]] bool replaces_throughout(const std::vector<KnownEdit>& of_stem,
                                         const std::vector<KnownEdit>& of_options) const {
    std::set<std::pair<std::u32string_view, std::u32string_view>> known_replacements;
    std::set<std::size_t> seen;
    for (const auto* all : {&of_stem, &of_options}) {
      for (const KnownEdit& known : *all) {
        const WordEdit& edit = known.edit;
        const std::u32string_view x = spelling_of(a_, edit.a);
        const std::u32string_view y = spelling_of(b_, edit.b);
        if (!exchanges_things(known) || b_.characters.find(x) != std::u32string::npos ||
            a_.characters.find(y) != std::u32string::npos || !seen.insert(edit.a_at).second)
          continue;
        if (!known_replacements.emplace(x, y).second) return true;
      }
    }
    return false;
  }

  // How often words differ that make no other question says nothing about the rest; that they do shows that
  // the sources differ.
  void note(const KnownEdit& known, bool counts) {
    const WordEdit& edit = known.edit;
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
    constexpr std::size_t near = 4;
    if (std::max(edit.a_at, edit.b_at) == 0) set(at_begin, unity);
    if (end_of_stem(a_) <= edit.a_at + near || end_of_stem(b_) <= edit.b_at + near) set(near_end, unity);
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
    if (features_.calculates ? a.things != b.things : ask_for_others(a_, b_)) features_.is_grave = true;
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

PairFeatures pair_features(const TextForms& question, const TextForms& keeper, const CharacterCounts& bank) {
  // All Han characters are kept.
  if (question.normal() == keeper.normal() ||
      (question.parts().han == keeper.parts().han && kept_characters(question) == kept_characters(keeper))) {
    return {false, std::vector<std::int32_t>(feature_names().size()), {}};
  }
  const bool exchanged = keeper.utf8() < question.utf8();
  const TextForms& first = exchanged ? keeper : question;
  const TextForms& second = exchanged ? question : keeper;
  NameIndex names;
  QuestionLayout a = read_layout(first, names);
  QuestionLayout b = read_layout(second, names);
  if (calculate(a, b)) loosen_asked_units(a, b);
  PairFeatures features = PairReader(a, b, bank).read();
  if (!features.findings.empty() && is_punctuated_otherwise(a, first.original(), b, second.original()))
    features.values[index_of(Whole::punctuated)] = unity;
  if (exchanged) {
    for (Finding& finding : features.findings) std::swap(finding.question, finding.keeper);
  }
  return features;
}

}  // namespace qdedup::refine
