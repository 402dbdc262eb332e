#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace qdedup::refine {

// Most words begin with two characters that a text does not have together, and need not be searched in it.
class SearchedText {
 public:
  explicit SearchedText(std::u32string text) : text_(std::move(text)) {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      beginnings_.set(beginning({&text_[at], 1}));
      if (at + 1 < text_.size()) beginnings_.set(beginning({&text_[at], 2}));
    }
  }

  operator std::u32string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

  template <class Words>
  [[nodiscard]] bool has_any(const Words& words) const {
    return std::ranges::any_of(words, [this](std::u32string_view word) {
      return may_have(word) && text_.find(word) != std::u32string::npos;
    });
  }

  // Calls `is_found` with the texts before and after each word, until one is.
  template <class Words, class Test>
  [[nodiscard]] bool any_place(const Words& words, const Test& is_found) const {
    const std::u32string_view whole = text_;
    return std::ranges::any_of(words, [&](std::u32string_view word) {
      if (!may_have(word)) return false;
      for (std::size_t at = whole.find(word); at < whole.size(); at = whole.find(word, at + 1)) {
        if (is_found(whole.substr(0, at), whole.substr(at + word.size()))) return true;
      }
      return false;
    });
  }

  // A NUL takes the place of each.
  template <class Words>
  [[nodiscard]] std::u32string without(const Words& words) const {
    std::u32string rest;
    for (std::u32string_view text = text_; !text.empty();) {
      const auto* const word =
          std::ranges::find_if(words, [text](auto candidate) { return text.starts_with(candidate); });
      const bool is_word = word != words.end();
      rest += is_word ? U'\0' : text[0];
      text.remove_prefix(is_word ? word->size() : 1);
    }
    return rest;
  }

 private:
  static constexpr std::size_t places = 4096;

  [[nodiscard]] bool may_have(std::u32string_view word) const { return beginnings_[beginning(word)]; }

  // Of the first two characters, or the only one.
  static std::size_t beginning(std::u32string_view word) {
    return (word[0] + (word.size() > 1 ? word[1] * 31 : 0)) % places;
  }

  std::u32string text_;
  std::bitset<places> beginnings_;
};

// What questions ask about, so that it is no matter of style in them.
struct Subjects {
  bool punctuation = false;
  bool pauses = false;  // so spaces between Han characters count; implies punctuation
  bool emphasis = false;
  bool type = false;  // bold, italic or coloured words; implies emphasis
  bool wording = false;
  bool code = false;
  bool indentation = false;  // of code

  // What a text in normal form asks about, too.
  void add(std::u32string_view text);
};

// Does a text in normal form point at words that are marked in it? 加点字, 红色的词
bool names_marked_words(const SearchedText& text);

}  // namespace qdedup::refine
