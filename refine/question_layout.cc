#include "refine/question_layout.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "refine/character_class.h"
#include "refine/code_point_table.h"
#include "refine/option_markers.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

// Characters of a word that is cited.
constexpr std::size_t longest_quoted = 4;
constexpr std::size_t longest_bracketed = 2;

bool ends_clause(char32_t c) { return is_one_of(c, U",.;:?!。\n"); }

bool is_coordination(std::u32string_view word) {
  return word.size() == 1 ? is_one_of(word.front(), rule_words::conjunctions) : word == rule_words::and_also;
}

// A query word, or a relation that holds one: 几分之几.
bool asks_for_something(const QuestionLayout& layout, const Token& token) {
  return token.word.kind == WordKind::query ||
         (token.word.length > 1 && layout.spelling(token).ends_with(rule_words::of_how_many));
}

// A word that is written in `length` characters here.
Word written(std::u32string_view listed, std::size_t length) {
  Word word = Vocabulary::instance().first_word(listed);
  word.length = length;
  return word;
}

// What the words before it make of a word, and it of them: 米 measures in 3米 but not in 江米, and the 和 of
// “的和是” is a sum. Made for one place of a text that is being read. All functions look at a few words only,
// but for 大 and 小 after 比, where they look through the clause.
class WordContext {
 public:
  // Refers to the layout and the words read so far; `clause_begin` is the first of the clause.
  WordContext(const QuestionLayout& layout, Tokens& tokens, std::size_t clause_begin)
      : layout_(layout), tokens_(tokens), clause_begin_(clause_begin) {}

  // The next word, which begins at character `begin`, as it is to be read here. Words before it may come to
  // be read otherwise: 一 before a measure word, 和 before 是.
  [[nodiscard]] Word settle(Word word, std::size_t begin) {
    const char32_t first = layout_.characters[begin];
    const char32_t before = last_character();
    if (before == rule_words::one.front() && word.kind != WordKind::number &&
        word.kind != WordKind::classifier)
      loosen_one();
    if (word.kind == WordKind::sign) {
      if (before == rule_words::sum) settle_sum(word, begin);
      return word;
    }
    if (word.kind == WordKind::classifier) {
      word.kind = classified() ? WordKind::filler : WordKind::content;
    }
    if (word.length == 1) word.kind = kind_of_character(word, first);
    if (word.length == 1 && first == rule_words::hour_ending && spells(1, U'/'))  // 千米/时
      word = written(rule_words::hour, 1);
    if (word.length == 1 && first == rule_words::pair && counts_pairs(begin))
      word = Vocabulary::instance().first_word(rule_words::two_of_a_kind);
    if (first == rule_words::possessive) settle_asked_dimension();
    if (word.length > 1 && layout_.spelling(begin, begin + word.length) == rule_words::percentage &&
        follows_rate())
      word = written(rule_words::how_many, word.length);
    if (before == rule_words::sum) settle_sum(word, begin);
    return word;
  }

  // What comes next is a sign. In 比乙数大3, 大 says 多; 还 adds nothing to 还多3; and the 对 of 2对3 counts
  // no pairs.
  void settle_before_sign() {
    if (tokens_.size() > clause_begin_ && spells(1, rule_words::pair) && !spells(2, rule_words::one.front()))
      tokens_.back().word = Vocabulary::instance().first_word({&rule_words::pair, 1});
    if (tokens_.empty() || tokens_.back().word.length != 1) return;
    const char32_t excess = layout_.characters[tokens_.back().begin];
    if (is_one_of(excess, rule_words::more_or_fewer) && spells(2, rule_words::still)) {
      tokens_[tokens_.size() - 2].word.kind = WordKind::calculation_filler;
    }
    if (is_one_of(excess, rule_words::large_or_small) && compares()) {
      tokens_.back().word = Vocabulary::instance().first_word(
          excess == rule_words::large ? rule_words::more : rule_words::fewer);
    }
  }

  // The clause ends here.
  void settle_before_end() {
    if (tokens_.size() > clause_begin_ && spells(1, rule_words::after)) {
      tokens_.back().word.kind = WordKind::calculation_filler;
    }
    settle_asked_dimension();
  }

  // Does the next word give the one before it a direction? 后 may also stand after an amount: 3小时后,
  // 用去(1/4)后; 上 after a digit's name: 个位上.
  [[nodiscard]] bool is_complement(const Word& word, std::size_t begin) const {
    if (word.kind != WordKind::complement || tokens_.size() == clause_begin_ || tokens_.back().end != begin) {
      return false;
    }
    const char32_t complement = layout_.characters[begin];
    if (complement == rule_words::after && (follows(WordKind::sign) || follows(WordKind::unit))) return true;
    return follows(WordKind::content) ||
           (complement == rule_words::above && layout_.characters[begin - 1] == rule_words::digit_place);
  }

  // Does a query word stand before the next word, with at most a measure word between?
  [[nodiscard]] bool follows_query() const {
    if (tokens_.empty()) return false;
    const Token& before = tokens_.back();
    return before.word.kind == WordKind::query || (before.counted && before.word.kind == WordKind::filler);
  }

 private:
  // A unit of one character is one only where it measures; else it is likely part of a word: 米 of 江米, 分
  // of 分装, 成 of 锯成. What holds things only counts them in 这袋米, as 段 does in 一段路. A 年 after four
  // digits and a 折 after any repeat what these say, 两 after things that are listed counts them, and a
  // clause that begins with 去 is told the same without.
  [[nodiscard]] WordKind kind_of_character(const Word& word, char32_t character) const {
    if (word.kind == WordKind::unit && !follows_amount()) return WordKind::content;
    if (character == rule_words::becomes && !follows_amount()) return WordKind::complement;
    if (word.kind == WordKind::unit && is_one_of(character, rule_words::containers) && follows_pointer())
      return WordKind::calculation_filler;
    if (character == rule_words::section && (follows_pointer() || follows_one()))
      return WordKind::calculation_filler;
    if (character == rule_words::year.front() && follows_year()) return WordKind::filler;
    if (character == rule_words::discount && (follows(WordKind::sign) || follows(WordKind::query)))
      return WordKind::filler;
    if (character == rule_words::two && follows_list()) return WordKind::calculation_filler;
    if (character == rule_words::goes && tokens_.size() == clause_begin_) return WordKind::calculation_filler;
    return word.kind;
  }

  [[nodiscard]] bool follows(WordKind kind) const {
    return !tokens_.empty() && tokens_.back().word.kind == kind;
  }

  [[nodiscard]] bool follows_amount() const {
    if (tokens_.empty()) return false;
    return follows(WordKind::sign) || follows(WordKind::number) || follows(WordKind::query) ||
           counts_or_points(tokens_.back());
  }

  [[nodiscard]] bool follows_year() const {
    const auto digits = std::find_if(tokens_.rbegin(), tokens_.rend(), [](const Token& token) {
      return token.word.kind != WordKind::sign || (token.word.meaning & starts_number) != 0;
    });
    return digits - tokens_.rbegin() == 3 && digits != tokens_.rend() && digits->word.kind == WordKind::sign;
  }

  // 合格率是
  [[nodiscard]] bool follows_rate() const {
    const auto named = std::find_if(tokens_.rbegin(), tokens_.rend(), [this](const Token& token) {
      return !is_listed(rule_words::equalities, layout_.spelling(token));
    });
    return named < tokens_.rend() - static_cast<std::ptrdiff_t>(clause_begin_) && named->end > 1 &&
           layout_.characters[named->end - 1] == rule_words::rate &&
           !is_one_of(layout_.characters[named->end - 2], rule_words::of_rates_with_units);
  }

  // 8对兔子 and 一对, but not x^2对任意x
  [[nodiscard]] bool counts_pairs(std::size_t begin) const {
    if (follows_one()) return true;
    if (!follows(WordKind::sign) || !is_digit(layout_.characters[begin - 1])) return false;
    return begin + 1 == layout_.characters.size() ||
           !is_one_of(layout_.characters[begin + 1], rule_words::openings_of_all);
  }

  // 甲、乙 or 甲乙
  [[nodiscard]] bool follows_list() const {
    const auto letters = [this](const Token& token) {
      return rule_words::labels.find(layout_.spelling(token)) != std::u32string_view::npos;
    };
    const std::size_t size = tokens_.size();
    return size > 1 && (tokens_.back().joined || (letters(tokens_[size - 1]) && letters(tokens_[size - 2])));
  }

  [[nodiscard]] bool follows_one() const { return last_character() == rule_words::one.front(); }

  // The last word, if it has one character; else 0.
  [[nodiscard]] char32_t last_character() const {
    if (tokens_.empty() || tokens_.back().word.length != 1) return 0;
    return layout_.characters[tokens_.back().begin];
  }

  // 这, 这样一 and the like
  [[nodiscard]] bool follows_pointer() const {
    const std::size_t last = follows_one() ? 2 : 1;
    return tokens_.size() >= last &&
           is_one_of(layout_.characters[tokens_[tokens_.size() - last].begin], rule_words::pointers);
  }

  // Does the word end in 每, 一, 这 or the like?
  [[nodiscard]] bool counts_or_points(const Token& token) const {
    return is_one_of(layout_.characters[token.end - 1], rule_words::pointers_and_quantifiers);
  }

  // Is the last word this character, or the one before the last, and so on?
  [[nodiscard]] bool spells(std::size_t from_end, char32_t word) const {
    if (tokens_.size() < from_end) return false;
    const Token& token = tokens_[tokens_.size() - from_end];
    return token.word.length == 1 && layout_.characters[token.begin] == word;
  }

  // Is there a 比 in this clause?
  [[nodiscard]] bool compares() const {
    return std::any_of(
        tokens_.begin() + static_cast<std::ptrdiff_t>(clause_begin_), tokens_.end(),
        [this](const Token& token) { return layout_.spelling(token) == rule_words::compared_with; });
  }

  // Is the measure word that comes next one that only counts? A 一 before it counts as little.
  bool classified() {
    if (tokens_.empty()) return false;
    Token& before = tokens_.back();
    if (before.word.kind == WordKind::sign || before.word.kind == WordKind::query) return true;
    if (follows_one()) {
      before.word.kind = WordKind::filler;
      return true;
    }
    return before.word.kind == WordKind::number ||
           is_one_of(layout_.characters[before.end - 1], rule_words::pointers_to_all);
  }

  // 一 that is no part of a greater number.
  void loosen_one() {
    const std::size_t size = tokens_.size();
    if (size > 1 && tokens_[size - 2].word.kind == WordKind::number) return;
    tokens_.back().word.kind = WordKind::filler;
  }

  // Behind 和: that of 3与5的和是 and 棱长和是 is a sum.
  void settle_sum(const Word& next, std::size_t begin) {
    const std::u32string_view spelling = layout_.spelling(begin, begin + next.length);
    const bool has_terms =
        spells(2, rule_words::possessive) || spells(2, rule_words::classical_of) ||
        (tokens_.size() > clause_begin_ + 1 && tokens_[tokens_.size() - 2].word.kind == WordKind::quantity);
    const bool named = next.kind == WordKind::sign || is_listed(rule_words::equalities, spelling);
    if (has_terms && (named || is_one_of(spelling.front(), rule_words::operations)))
      tokens_.back().word.kind = WordKind::relation;
  }

  // The 多 of 多长 asks for a length, at the end of a clause or before 的.
  void settle_asked_dimension() {
    const std::size_t size = tokens_.size();
    if (size < clause_begin_ + 2 || !spells(2, rule_words::more.front()) || tokens_.back().word.length != 1)
      return;
    if (is_one_of(layout_.characters[tokens_.back().begin], rule_words::asked_dimensions)) {
      tokens_[size - 2].word = Vocabulary::instance().first_word(rule_words::how_many);
    }
  }

  const QuestionLayout& layout_;
  Tokens& tokens_;
  std::size_t clause_begin_;
};

// The words of one part of a question, a stem or an option. Words are looked for across white space and
// brackets, but not across the end of a clause.
class PartReader {
 public:
  PartReader(QuestionLayout& layout, NameIndex& names) : layout_(layout), names_(names) {}

  Tokens read(const TextForms& text, std::size_t begin, std::size_t end) {
    const CodePointTable<CharacterClass>& classes = character_classes();
    const std::u32string_view characters = text.characters();
    tokens_.reserve((end - begin) / 2);
    for (std::size_t i = begin; i < end; ++i) {
      const char32_t c = characters[i];
      const CharacterClass kind = classes[c];
      if (kind != CharacterClass::han) note_citation(c);
      if (is_kept(kind) || is_decimal_point(characters, i, begin, end)) {
        keep(c, kind, text.origin(i));
      } else if (c == U'、') {
        end_run();
        join_ = true;
        run_begin_ = layout_.characters.size();
      } else if (ends_clause(c)) {
        end_clause();
      }
      after_digit_ = kind == CharacterClass::digit || (after_digit_ && c == U'.');
    }
    end_clause();
    mark_question();
    mark_cited();
    return std::move(tokens_);
  }

 private:
  // Quotation marks and brackets are no part of the layout.
  void note_citation(char32_t c) {
    const std::size_t here = layout_.characters.size();
    if (is_one_of(c, U"“‘「『(")) opened_ = here;
    const std::size_t longest = c == U')' ? longest_bracketed : longest_quoted;
    if (is_one_of(c, U"”’」』)") && here > opened_ && here - opened_ <= longest)
      cited_.emplace_back(opened_, here);
  }

  static bool is_decimal_point(std::u32string_view text, std::size_t i, std::size_t begin, std::size_t end) {
    const auto digit_at = [&text](std::size_t at) {
      return character_classes()[text[at]] == CharacterClass::digit;
    };
    return text[i] == U'.' && i > begin && i + 1 < end && digit_at(i - 1) && digit_at(i + 1);
  }

  void keep(char32_t c, CharacterClass kind, std::size_t origin) {
    if (kind != CharacterClass::han) end_run();
    layout_.characters.push_back(c);
    layout_.origins.push_back(origin);
    if (kind == CharacterClass::han) return;
    context().settle_before_sign();
    const bool first_digit = kind == CharacterClass::digit && !after_digit_;
    add({WordKind::sign, first_digit ? c | starts_number : c, 1}, layout_.characters.size() - 1);
    run_begin_ = layout_.characters.size();
  }

  // Cuts the Han characters since the last token into words.
  void end_run() {
    while (run_begin_ < layout_.characters.size()) {
      Word word = vocabulary_.first_word(std::u32string_view(layout_.characters).substr(run_begin_));
      const std::size_t begin = run_begin_;
      run_begin_ += word.length;
      if (word.meaning == 0) word.meaning = names_.meaning(layout_.spelling(begin, run_begin_));
      add(word, begin);
    }
  }

  void add(const Word& word, std::size_t begin) {
    WordContext before = context();
    const Word here = before.settle(word, begin);
    tokens_.push_back({here, begin, begin + here.length, false, before.is_complement(here, begin), join_,
                       before.follows_query()});
    join_ = is_coordination(layout_.spelling(tokens_.back()));
  }

  WordContext context() { return {layout_, tokens_, clause_begins_.back()}; }

  void end_clause() {
    end_run();
    context().settle_before_end();
    run_begin_ = layout_.characters.size();
    if (tokens_.size() > clause_begins_.back()) clause_begins_.push_back(tokens_.size());
  }

  // The clauses that hold a query word ask; where there are none, the last clause.
  void mark_question() {
    for (std::size_t i = 0; i + 1 < clause_begins_.size(); ++i) clause(i).front().begins = true;
    const auto asks = [this](const Token& token) { return asks_for_something(layout_, token); };
    bool found = false;
    for (std::size_t i = 0; i + 1 < clause_begins_.size(); ++i) {
      if (!std::ranges::any_of(clause(i), asks)) continue;
      found = true;
      for (Token& token : clause(i)) token.asks = true;
    }
    if (found || clause_begins_.size() < 2) return;
    for (Token& token : clause(clause_begins_.size() - 2)) token.asks = true;
  }

  std::span<Token> clause(std::size_t i) {
    return std::span(tokens_).subspan(clause_begins_[i], clause_begins_[i + 1] - clause_begins_[i]);
  }

  // What is cited begins and ends in ascending order, as the tokens do.
  void mark_cited() {
    if (cited_.empty()) return;
    auto cited = cited_.begin();
    for (Token& token : tokens_) {
      while (cited != cited_.end() && cited->second <= token.begin) ++cited;
      token.cited = cited != cited_.end() && cited->first < token.end;
    }
  }

  const Vocabulary& vocabulary_ = Vocabulary::instance();
  QuestionLayout& layout_;
  NameIndex& names_;
  Tokens tokens_;
  std::size_t run_begin_ = layout_.characters.size();
  std::vector<std::size_t> clause_begins_{0};
  std::size_t opened_ = layout_.characters.size();  // where a quotation or bracket began
  std::vector<std::pair<std::size_t, std::size_t>> cited_;
  bool after_digit_ = false;
  bool join_ = false;  // the next token is joined to the one before
};

// Where there is a product, its factors are numbers like any other.
void loosen_factors(QuestionLayout& layout) {
  const auto spelt = [&layout](std::u32string_view word) {
    return [&layout, word](const Token& token) { return layout.spelling(token) == word; };
  };
  if (std::ranges::none_of(layout.stem, spelt(rule_words::product))) return;
  for (Token& token : layout.stem) {
    if (spelt(rule_words::factor)(token)) token.word.kind = WordKind::calculation_filler;
  }
}

// Where a story happens makes no difference, if it is not said again: 温州 of 温州某商店.
void loosen_place(QuestionLayout& layout, NameIndex& names) {
  constexpr std::size_t longest_place = 5;
  const auto may_name = [&layout](const Token& token) {
    const char32_t first = layout.characters[token.begin];
    return token.word.kind == WordKind::content || is_one_of(first, rule_words::compass) ||
           (token.word.kind == WordKind::quantity && token.word.length == 1 &&
            !is_one_of(first, rule_words::each));
  };
  const auto certain = std::ranges::find_if(layout.stem, [&layout](const Token& token) {
    return layout.characters[token.begin] == rule_words::certain;
  });
  if (certain == layout.stem.end() || !std::all_of(layout.stem.begin(), certain, may_name)) return;
  const std::size_t size = certain->begin;
  const std::u32string_view place = layout.spelling(0, size);
  if (size < 2 || size > longest_place || layout.characters.find(place, size) != std::u32string::npos) return;
  for (auto token = layout.stem.begin(); token != certain; ++token)
    token->word = {WordKind::calculation_filler, names.meaning(layout.spelling(*token)), token->word.length};
}

// How to solve it makes no difference: 用一元一次方程解决问题, 用两种方法解答.
void loosen_instructions(QuestionLayout& layout) {
  for (auto begin = layout.stem.begin(); begin != layout.stem.end();) {
    const auto end =
        std::find_if(begin + 1, layout.stem.end(), [](const Token& word) { return word.begins; });
    const std::u32string_view clause = layout.spelling(begin->begin, std::prev(end)->end);
    const auto ends = [clause](std::u32string_view ending) { return clause.ends_with(ending); };
    const bool names_ways = clause.size() > 2 && clause.front() == rule_words::with &&
                            is_one_of(clause[1], rule_words::numerals) &&
                            clause.substr(2).starts_with(rule_words::ways);
    const bool instructs =
        (names_ways || clause.find(rule_words::equation) != std::u32string_view::npos) &&
        clause.find_first_of(rule_words::negating_prefixes) == std::u32string_view::npos &&
        (std::ranges::any_of(rule_words::solving, ends) || (names_ways && ends(rule_words::ways))) &&
        std::ranges::all_of(clause, HanTable<std::uint8_t>::covers) &&
        std::none_of(begin, end, [](const Token& word) { return word.word.kind == WordKind::query; });
    for (; begin != end; ++begin) {
      if (instructs) begin->word.kind = WordKind::calculation_filler;
    }
  }
}

bool asks_for_quantity(const QuestionLayout& layout) {
  const auto starts = [](const Token& token) { return (token.word.meaning & starts_number) != 0; };
  // To calculate with: not the number of the question, of a part of it, points or dates.
  const auto is_number = [&](const Token& token) {
    if (!starts(token)) return false;
    const auto next = std::find_if(
        layout.stem.begin() + (&token - layout.stem.data()) + 1, layout.stem.end(), [&](const Token& other) {
          return starts(other) || !(is_digit(other.word.meaning) || other.word.meaning == U'~');
        });
    if (next == layout.stem.end()) return true;
    if (starts(*next) || (token.begin == 0 && next->word.kind == WordKind::content)) return false;
    return !is_listed(rule_words::of_tests_and_dates, layout.spelling(*next));
  };
  const auto asks = [&layout](const Token& token) {
    return asks_for_something(layout, token) || token.word.meaning == U'=';
  };
  return layout.options.empty() && std::ranges::any_of(layout.stem, is_number) &&
         std::ranges::any_of(layout.stem, asks);
}

}  // namespace

char32_t NameIndex::meaning(std::u32string_view name) {
  constexpr char32_t first_name = 0x40000000;
  return first_name + names_.emplace(name, static_cast<char32_t>(names_.size())).first->second;
}

QuestionLayout read_layout(const TextForms& text, NameIndex& names) {
  const std::u32string_view characters = text.characters();
  const std::vector<OptionStretch> options = find_options(characters);
  QuestionLayout layout{};
  layout.characters.reserve(characters.size());
  layout.origins.reserve(characters.size());
  const std::size_t stem_end = options.empty() ? characters.size() : options.front().marker;
  layout.stem = PartReader(layout, names).read(text, 0, stem_end);
  for (const OptionStretch& option : options) {
    layout.options.push_back(PartReader(layout, names).read(text, option.begin, option.end));
  }
  loosen_factors(layout);
  layout.calculates = asks_for_quantity(layout);
  if (!layout.calculates) return layout;
  loosen_place(layout, names);
  loosen_instructions(layout);
  return layout;
}

}  // namespace qdedup::refine
