#pragma once

#include <algorithm>
#include <bitset>
#include <string>
#include <string_view>
#include <utility>

namespace qdedup::refine {

// Most words begin with a character that a text does not have, and need not be searched in it.
class SearchedText {
 public:
  explicit SearchedText(std::u32string text) : text_(std::move(text)) {
    for (const char32_t c : text_) characters_.set(c % characters_.size());
  }

  operator std::u32string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t find(std::u32string_view word, std::size_t from = 0) const {
    return characters_[word[0] % characters_.size()] ? text_.find(word, from) : std::u32string::npos;
  }

  template <class Words>
  [[nodiscard]] bool has_any(const Words& words) const {
    return std::ranges::any_of(words, [this](auto word) { return find(word) != std::u32string::npos; });
  }

  // A NUL takes the place of each.
  template <class Words>
  [[nodiscard]] std::u32string without(const Words& words) const {
    if (!has_any(words)) return text_;
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
  std::u32string text_;
  std::bitset<1024> characters_;
};

}  // namespace qdedup::refine
