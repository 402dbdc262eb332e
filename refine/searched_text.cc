#include "refine/searched_text.h"

#include <limits>
#include <unordered_map>

namespace qdedup::refine {
namespace {

static_assert(rule_words::searched_lists.size() <= std::numeric_limits<std::uint32_t>::digits);

// The lists of the words that begin with two characters, or are one.
class Beginnings {
 public:
  static const Beginnings& instance() {
    static const Beginnings of_all;
    return of_all;
  }

  [[nodiscard]] bool begins_any(char32_t c) const { return c < first_.size() && first_[c]; }

  [[nodiscard]] std::uint32_t lists_of(std::u32string_view beginning) const {
    const auto found = lists_.find(key_of(beginning));
    return found == lists_.end() ? 0 : found->second;
  }

 private:
  Beginnings() {
    for (std::size_t number = 0; number < rule_words::searched_lists.size(); ++number) {
      for (const std::u32string_view word : rule_words::searched_lists[number]) {
        first_.set(word.front());
        lists_[key_of(word)] |= std::uint32_t{1} << number;
      }
    }
  }

  static std::uint64_t key_of(std::u32string_view word) {
    return std::uint64_t{word[0]} << 32U | (word.size() > 1 ? word[1] : 0);
  }

  std::bitset<0x10000> first_;
  std::unordered_map<std::uint64_t, std::uint32_t> lists_;
};

}  // namespace

SearchedText::SearchedText(std::u32string_view text) : text_(text) {
  const Beginnings& all = Beginnings::instance();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!all.begins_any(text[at])) continue;
    for (const std::u32string_view beginning : {text.substr(at, 1), text.substr(at, 2)}) {
      const std::uint32_t lists = all.lists_of(beginning);
      lists_ |= lists;
      if (lists != 0) beginnings_.set(place_of(beginning));
    }
  }
}

}  // namespace qdedup::refine
