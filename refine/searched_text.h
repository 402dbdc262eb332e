#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "refine/rule_words.h"

namespace qdedup::refine {

// A text that is searched for the words of many lists. Most lists have no word whose first two characters
// stand in it together, which is found out for all at once.
class SearchedText {
 public:
  // The text has to live as long.
  explicit SearchedText(std::u32string_view text);

  operator std::u32string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

  template <std::size_t Size>
  [[nodiscard]] bool has_any(const SearchedWords<Size>& words) const {
    return may_have_any(words) && std::ranges::any_of(words, [this](std::u32string_view word) {
             return may_have(word) && text_.find(word) != std::u32string_view::npos;
           });
  }

  // Calls `is_found` with the texts before and after each word, until one is.
  template <std::size_t Size, class Test>
  [[nodiscard]] bool any_place(const SearchedWords<Size>& words, const Test& is_found) const {
    return may_have_any(words) && std::ranges::any_of(words, [&](std::u32string_view word) {
             if (!may_have(word)) return false;
             for (std::size_t at = text_.find(word); at < text_.size(); at = text_.find(word, at + 1)) {
               if (is_found(text_.substr(0, at), text_.substr(at + word.size()))) return true;
             }
             return false;
           });
  }

  // A NUL takes the place of each.
  template <std::size_t Size>
  [[nodiscard]] std::u32string without(const SearchedWords<Size>& words) const {
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
  static constexpr std::size_t places = 1024;

  template <std::size_t Size>
  [[nodiscard]] bool may_have_any(const SearchedWords<Size>& words) const {
    return (lists_ >> words.number & 1U) != 0;
  }

  [[nodiscard]] bool may_have(std::u32string_view word) const { return beginnings_[place_of(word)]; }

  // Of the first two characters, or the only one.
  static std::size_t place_of(std::u32string_view word) {
    return (word[0] + (word.size() > 1 ? word[1] * 31 : 0)) % places;
  }

  std::u32string_view text_;
  std::uint32_t lists_ = 0;         // a bit for each list that may have a word that stands in the text
  std::bitset<places> beginnings_;  // of the words of these lists
};

}  // namespace qdedup::refine
