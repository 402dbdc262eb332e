#pragma once

#include <string>
#include <string_view>

#include <unicode/normalizer2.h>

namespace qdedup::refine {

// ICU's NFKC. ICU owns it.
const icu::Normalizer2& nfkc();

// The mark that normalising puts before a run of characters like this one: `^` for superscripts,
// subscript_mark for subscripts, 0 for all others.
char32_t run_mark(char32_t code_point);

// The last step of normalising: one spelling each for slash, hyphen, ratio sign and decimal digits.
char32_t one_spelling(char32_t code_point);

// The normal form (doc/rules.md, 3.1) the long way: the whole text through ICU. See normalise() for the short
// one.
std::u32string icu_normalise(std::u32string_view text);

}  // namespace qdedup::refine
