#include "refine/question_layout.h"

#include <algorithm>
#include <utility>

#include "refine/character_class.h"
#include "refine/layout_text.h"
#include "refine/option_markers.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"
#include "refine/vocabulary.h"
#include "refine/word_context.h"

namespace qdedup::refine {
namespace {

// Characters of a word that is cited.
constexpr std::size_t longest_quoted = 4;
constexpr std::size_t longest_bracketed = 2;

bool ends_clause(char32_t c) { return is_one_of(c, U",.;:?!。\n"); }

bool is_coordination(std::u32string_view word) {
  return std::ranges::find(rule_words::conjunctions, word) != rule_words::conjunctions.end();
}

// A query word, or a relation that holds one: 几分之几.
bool asks_for_something(const QuestionLayout& layout, const Token& token) {
  return token.word.kind == WordKind::query || layout.spelling(token).ends_with(rule_words::of_how_many);
}

// The words of one part of a question, a stem or an option. Words are looked for across white space and
// brackets, but not across the end of a clause.
class PartReader {
 public:
  PartReader(QuestionLayout& layout, NameIndex& names) : layout_(layout), names_(names) {}

  Tokens read(const LayoutText& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const char32_t c = text.characters[i];
      const CharacterClass kind = character_classes()[c];
      note_citation(c);
      if (is_decimal_point(text, i, begin, end) || is_kept(kind)) {
        keep(c, kind, text.origins[i]);
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
    for (const auto& [first, last] : cited_) {
      for (Token& token : tokens_) token.cited |= token.begin < last && token.end > first;
    }
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

  [[nodiscard]] bool is_decimal_point(const LayoutText& text, std::size_t i, std::size_t begin,
                                      std::size_t end) const {
    const auto is_digit = [&text](std::size_t at) {
      return character_classes()[text.characters[at]] == CharacterClass::digit;
    };
    return text.characters[i] == U'.' && i > begin && i + 1 < end && is_digit(i - 1) && is_digit(i + 1);
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
      Word word =
          Vocabulary::instance().first_word(std::u32string_view(layout_.characters).substr(run_begin_));
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
    bool found = false;
    for (std::size_t i = 0; i + 1 < clause_begins_.size(); ++i) found = mark_if_query(i) || found;
    if (!found && clause_begins_.size() > 1) mark_clause(clause_begins_.size() - 2);
  }

  bool mark_if_query(std::size_t clause) {
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(clause_begins_[clause]);
    const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(clause_begins_[clause + 1]);
    if (std::none_of(begin, end, [this](const Token& t) { return asks_for_something(layout_, t); })) {
      return false;
    }
    mark_clause(clause);
    return true;
  }

  void mark_clause(std::size_t clause) {
    for (std::size_t i = clause_begins_[clause]; i < clause_begins_[clause + 1]; ++i) tokens_[i].asks = true;
  }

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

bool asks_for_quantity(const QuestionLayout& layout) {
  const auto is_number = [](const Token& token) { return (token.word.meaning & starts_number) != 0; };
  const auto asks = [&layout](const Token& token) {
    return asks_for_something(layout, token) || token.word.meaning == U'=';
  };
  return layout.options.empty() && std::ranges::any_of(layout.stem, is_number) &&
         std::ranges::any_of(layout.stem, asks);
}

}  // namespace

char32_t NameIndex::meaning(std::u32string_view name) {
  constexpr char32_t first_name = 0x40000000;
  const auto found = std::ranges::find(names_, name);
  const auto index = static_cast<char32_t>(found - names_.begin());
  if (found == names_.end()) names_.emplace_back(name);
  return first_name + index;
}

QuestionLayout read_layout(std::string_view text, NameIndex& names) {
  const LayoutText normal = layout_text(text);
  const std::vector<OptionStretch> options = find_options(normal.characters);
  QuestionLayout layout{};
  const std::size_t stem_end = options.empty() ? normal.characters.size() : options.front().marker;
  layout.stem = PartReader(layout, names).read(normal, 0, stem_end);
  for (const OptionStretch& option : options) {
    layout.options.push_back(PartReader(layout, names).read(normal, option.begin, option.end));
  }
  loosen_factors(layout);
  layout.calculates = asks_for_quantity(layout);
  return layout;
}

}  // namespace qdedup::refine
