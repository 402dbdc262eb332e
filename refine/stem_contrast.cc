#include "refine/stem_contrast.h"

#include <algorithm>
#include <string>
#include <vector>

#include "refine/difference_tolerance.h"
#include "refine/implied_words.h"
#include "refine/question_echo.h"
#include "refine/renaming.h"
#include "refine/word_doubts.h"

namespace qdedup::refine {
namespace {

class StemContrast {
 public:
  StemContrast(const QuestionLayout& a, const QuestionLayout& b, const CharacterCounts& bank,
               Contrast& contrast)
      : a_(a),
        b_(b),
        calculates_(a.options.empty() && b.options.empty() && (a.calculates || b.calculates)),
        contrast_(contrast),
        a_stem_(a, a.stem, calculates_),
        b_stem_(b, b.stem, calculates_),
        comparison_(a_stem_, b_stem_),
        tolerance_(a_stem_, b_stem_, calculates_, bank),
        renamed_(renamings(a, b, comparison_.differences(), calculates_)) {}

  void judge() {
    contrast_.harmless.insert(contrast_.harmless.end(), comparison_.harmless().begin(),
                              comparison_.harmless().end());
    for (std::size_t i = 0; i < comparison_.differences().size(); ++i) judge(i);
    if (!calculates_) doubt_odd_exchanges();
    if (calculates_) doubt_amounts();
  }

 private:
  void judge(std::size_t i) {
    const Difference& difference = comparison_.differences()[i];
    if (is_misspelling(a_, b_, difference)) {
      add_harmless("misspelling", difference);
    } else if (renamed_[i] || (calculates_ && refers_back(a_, b_, difference))) {
      add_harmless("renamed", difference);
    } else if (tolerance_.exempts(difference) || moves_harmlessly(i) || divides_otherwise(i)) {
      add_harmless("wording", difference);
    } else if (is_moved(i)) {
      doubt("role-swap", difference);
    } else if (const auto doubts = doubts_of_words(difference); !doubts.empty()) {
      for (const std::string& kind : doubts) doubt(kind, difference);
    } else {
      judge_content(difference);
    }
  }

  void doubt_odd_exchanges() {
    for (const Finding& exchange : comparison_.odd_exchanges()) {
      contrast_.reasons.push_back({"stem-differs", exchange.question, exchange.keeper});
    }
  }

  // What no word that carries meaning shows: a fraction is taken of something else, or more is asked.
  void doubt_amounts() {
    for (const Finding& other : comparison_.other_bases()) {
      contrast_.reasons.push_back({"number-moved", other.question, other.keeper});
    }
    if (asks_more(a_stem_, b_stem_)) contrast_.reasons.push_back(finding("asks-else", a_stem_, b_stem_));
  }

  [[nodiscard]] std::vector<std::string> doubts_of_words(const Difference& difference) const {
    return word_doubts(a_, b_, difference, calculates_ && !tolerance_.overlooks_quantities(difference));
  }

  void judge_content(const Difference& difference) {
    if (calculates_ && !tolerance_.may_mention_elsewhere(difference) && renames_part(a_, b_, difference)) {
      doubt("renamed-part", difference);
    } else if (tolerance_.allows_wording(difference)) {
      add_harmless("wording", difference);
    } else if (difference.listed()) {
      doubt("options-reordered", difference);
    } else {
      doubt(difference.asks() ? "asks-else" : "stem-differs", difference);
    }
  }

  // Does what one text has here stand elsewhere in the other, within a story and across nothing that matters?
  [[nodiscard]] bool moves_harmlessly(std::size_t i) const {
    const auto& differences = comparison_.differences();
    return calculates_ && std::ranges::any_of(differences, [&](const Difference& other) {
             return tolerance_.allows_move(differences[i], other) ||
                    tolerance_.allows_move(other, differences[i]);
           });
  }

  // 除以7 of one text, 用7除 of the other
  [[nodiscard]] bool divides_otherwise(std::size_t i) const {
    const auto& differences = comparison_.differences();
    return calculates_ && std::ranges::any_of(differences, [&](const Difference& other) {
             return divides_alike(a_, b_, differences[i], other) ||
                    divides_alike(a_, b_, other, differences[i]);
           });
  }

  // Does a word that this difference takes away come back in another one, or the other way round?
  [[nodiscard]] bool is_moved(std::size_t i) const {
    const auto& differences = comparison_.differences();
    for (std::size_t j = 0; j < differences.size(); ++j) {
      if (j == i) continue;
      if (share_content(differences[i].a, differences[j].b)) return true;
      if (share_content(differences[i].b, differences[j].a)) return true;
    }
    return false;
  }

  static bool share_content(std::span<const Token> x, std::span<const Token> y) {
    return std::ranges::any_of(x, [y](const Token& token) {
      return token.word.kind != WordKind::sign && std::ranges::find(y, token.word, &Token::word) != y.end();
    });
  }

  void doubt(std::string kind, const Difference& difference) {
    contrast_.reasons.push_back(finding(std::move(kind), a_, b_, difference));
  }

  void add_harmless(std::string kind, const Difference& difference) {
    contrast_.harmless.push_back(finding(std::move(kind), a_, b_, difference));
  }

  const QuestionLayout& a_;
  const QuestionLayout& b_;
  bool calculates_;
  Contrast& contrast_;
  Part a_stem_;
  Part b_stem_;
  PartComparison comparison_;
  DifferenceTolerance tolerance_;
  std::vector<bool> renamed_;
};

}  // namespace

void contrast_stems(const QuestionLayout& a, const QuestionLayout& b, const CharacterCounts& bank,
                    Contrast& contrast) {
  StemContrast(a, b, bank, contrast).judge();
}

}  // namespace qdedup::refine
