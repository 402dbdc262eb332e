#include "refine/option_contrast.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "refine/word_doubts.h"

namespace qdedup::refine {
namespace {

// In one option, if it has so many words, one may be another or missing.
constexpr std::size_t min_words_to_exchange_one = 8;
constexpr std::size_t min_words_to_miss_one = 3;

std::u32string meanings(const Part& part) {
  std::u32string text;
  for (const Token& token : part.words) text.push_back(token.word.meaning);
  return text;
}

// What an option says: its words that carry meaning; if it has none, all its characters.
std::u32string gist(const Part& part) {
  if (part.words.empty()) return std::u32string(part.layout.spelling(part.begin, part.end));
  return meanings(part);
}

std::vector<Part> parts_of_options(const QuestionLayout& layout) {
  std::vector<Part> parts;
  for (const Tokens& option : layout.options) parts.emplace_back(layout, option, false);
  return parts;
}

std::vector<std::u32string> gists(const std::vector<Part>& parts) {
  std::vector<std::u32string> gists;
  std::ranges::transform(parts, std::back_inserter(gists), gist);
  return gists;
}

bool is_one_character(std::span<const Token> words) {
  return words.size() == 1 && words.front().word.length == 1;
}

class OptionContrast {
 public:
  OptionContrast(const QuestionLayout& a, const QuestionLayout& b, Contrast& contrast)
      : a_(parts_of_options(a)),
        b_(parts_of_options(b)),
        a_none_(a, {}, false),
        b_none_(b, {}, false),
        a_gists_(gists(a_)),
        b_gists_(gists(b_)),
        contrast_(contrast) {}

  void judge() {
    const std::size_t both = std::min(a_.size(), b_.size());
    for (std::size_t i = 0; i < both; ++i) judge(i);
    for (std::size_t i = both; i < a_.size(); ++i) doubt(a_[i], b_none_);
    for (std::size_t i = both; i < b_.size(); ++i) doubt(a_none_, b_[i]);
  }

 private:
  void judge(std::size_t i) {
    if (a_gists_[i] != b_gists_[i] && (has_moved(i) || a_[i].words.empty() || b_[i].words.empty())) {
      doubt(a_[i], b_[i]);
      return;
    }
    const PartComparison comparison(a_[i], b_[i]);
    contrast_.harmless.insert(contrast_.harmless.end(), comparison.harmless().begin(),
                              comparison.harmless().end());
    for (const Difference& difference : comparison.differences()) {
      judge(i, difference, comparison.differences().size() == 1);
    }
  }

  // Does what one text says here stand elsewhere in the other?
  [[nodiscard]] bool has_moved(std::size_t i) const {
    return std::ranges::find(b_gists_, a_gists_[i]) != b_gists_.end() ||
           std::ranges::find(a_gists_, b_gists_[i]) != a_gists_.end();
  }

  void judge(std::size_t i, const Difference& difference, bool only) {
    const QuestionLayout& a = a_[i].layout;
    const QuestionLayout& b = b_[i].layout;
    if (is_misspelling(a, b, difference)) {
      contrast_.harmless.push_back(finding("misspelling", a, b, difference));
      return;
    }
    const std::vector<std::string> doubts = word_doubts(a, b, difference, true);
    if (only && doubts.empty() && is_slight(i, difference) && !std::exchange(told_otherwise_, true)) {
      contrast_.harmless.push_back(finding("wording", a, b, difference));
      return;
    }
    contrast_.reasons.push_back(finding("options-reordered", a, b, difference));
    for (const std::string& kind : doubts) {
      if (kind != "quantity") contrast_.reasons.push_back(finding(kind, a, b, difference));
    }
  }

  [[nodiscard]] bool is_slight(std::size_t i, const Difference& difference) const {
    const std::size_t words = std::min(a_[i].words.size(), b_[i].words.size());
    const bool one_misses = difference.a.size() + difference.b.size() == 1;
    const bool one_exchanged =
        is_one_character(difference.a) && is_one_character(difference.b) && same_neighbours(i, difference);
    return (one_misses && words >= min_words_to_miss_one) ||
           (one_exchanged && words >= min_words_to_exchange_one);
  }

  // Do the same characters stand around the difference? Else it is part of a longer one: 目的 for 行为, where
  // the second characters count as fillers.
  [[nodiscard]] bool same_neighbours(std::size_t i, const Difference& difference) const {
    const auto character = [](const Part& part, std::size_t at) {
      return at >= part.begin && at < part.end ? part.layout.characters[at] : U'\0';
    };
    const Token& x = difference.a.front();
    const Token& y = difference.b.front();
    return character(a_[i], x.begin - 1) == character(b_[i], y.begin - 1) &&
           character(a_[i], x.end) == character(b_[i], y.end);
  }

  void doubt(const Part& a, const Part& b) {
    contrast_.reasons.push_back(finding("options-reordered", a, b));
  }

  std::vector<Part> a_;
  std::vector<Part> b_;
  Part a_none_;
  Part b_none_;
  std::vector<std::u32string> a_gists_;
  std::vector<std::u32string> b_gists_;
  Contrast& contrast_;
  bool told_otherwise_ = false;  // an option is, and no other may be
};

}  // namespace

void contrast_options(const QuestionLayout& a, const QuestionLayout& b, Contrast& contrast) {
  OptionContrast(a, b, contrast).judge();
}

}  // namespace qdedup::refine
