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

std::vector<std::u32string_view> words_of(std::u32string_view text) {
  const icu::UnicodeString units = to_utf16(text);
  UErrorCode failure = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> boundaries(
      ubrk_open(UBRK_WORD, "zh", units.getBuffer(), units.length(), &failure), ubrk_close);
  require_success(failure);
  std::vector<std::u32string_view> words;
  std::size_t at = 0;                                   // in code points
  std::int32_t unit_at = ubrk_first(boundaries.get());  // the same place in UTF-16
  for (std::int32_t end = ubrk_next(boundaries.get()); end != UBRK_DONE; end = ubrk_next(boundaries.get())) {
    const std::size_t begin = at;
    for (; unit_at < end; ++at) unit_at += U_IS_BMP(text[at]) ? 1 : 2;
    if (ubrk_getRuleStatus(boundaries.get()) >= UBRK_WORD_NONE_LIMIT)
      words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

std::string word_rules_version() { return "icu-" + version_text(u_getVersion); }

}  // namespace qdedup::refine
