#include "refine/words.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <unicode/ubrk.h>
#include <unicode/utf16.h>
#include <unicode/uversion.h>

#include "refine/icu.h"

namespace qdedup::refine {
namespace {

// Calls word(begin, size), in UTF-16 units.
template <class TakeWord>
void for_each_word(const icu::UnicodeString& units, const TakeWord& word) {
  UErrorCode failure = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> boundaries(
      ubrk_open(UBRK_WORD, "zh", units.getBuffer(), units.length(), &failure), ubrk_close);
  require_success(failure);
  std::int32_t begin = ubrk_first(boundaries.get());
  for (std::int32_t end = ubrk_next(boundaries.get()); end != UBRK_DONE; end = ubrk_next(boundaries.get())) {
    if (ubrk_getRuleStatus(boundaries.get()) >= UBRK_WORD_NONE_LIMIT)
      word(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    begin = end;
  }
}

}  // namespace

std::vector<std::u32string_view> words_of(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  std::size_t at = 0;       // in code points
  std::size_t unit_at = 0;  // the same place in UTF-16
  const auto skip_to = [&](std::size_t unit_end) {
    for (; unit_at < unit_end; ++at) unit_at += U_IS_BMP(text[at]) ? 1U : 2U;
    return at;
  };
  for_each_word(to_utf16(text), [&](std::size_t begin, std::size_t size) {
    const std::size_t first = skip_to(begin);
    words.push_back(text.substr(first, skip_to(begin + size) - first));
  });
  return words;
}

std::string word_rules_version() { return "icu-" + version_text(u_getVersion); }

}  // namespace qdedup::refine
