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

std::u16string to_utf16(std::u32string_view text) {
  std::u16string units;
  units.reserve(text.size());
  for (const char32_t c : text) {
    if (U_IS_BMP(c)) {
      units += static_cast<char16_t>(c);
    } else {
      units += U16_LEAD(c);
      units += U16_TRAIL(c);
    }
  }
  return units;
}

// Calls word(begin, size), in UTF-16 units.
template <class TakeWord>
void for_each_word(std::u16string_view units, const TakeWord& word) {
  UErrorCode failure = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, decltype(&ubrk_close)> boundaries(
      ubrk_open(UBRK_WORD, "zh", units.data(), static_cast<std::int32_t>(units.size()), &failure),
      ubrk_close);
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
  const std::u16string units = to_utf16(text);
  std::size_t at = 0;       // in code points
  std::size_t unit_at = 0;  // the same place in UTF-16
  const auto skip_to = [&](std::size_t unit_end) {
    for (; unit_at < unit_end; ++at) unit_at += U16_IS_LEAD(units[unit_at]) ? 2U : 1U;
    return at;
  };
  for_each_word(units, [&](std::size_t begin, std::size_t size) {
    const std::size_t first = skip_to(begin);
    words.push_back(text.substr(first, skip_to(begin + size) - first));
  });
  return words;
}

std::string word_rules_version() { return "icu-" + version_text(u_getVersion); }

}  // namespace qdedup::refine
