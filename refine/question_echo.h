#pragma once

#include <cstddef>
#include <string_view>

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// What the clauses that ask say, beside what the rest of two stems says. All linear in the lengths.

// How many words of the question are joined to others by 和 and the like.
std::ptrdiff_t joined_in_question(const Part& stem);

// Do both ask how many, one more often than the other?
bool asks_more(const Part& a, const Part& b);

// 甲, 乙 and so on, which name one of several.
bool is_letter(const Token& token);

// Does a word of the question, filler or not, hold this?
bool asks_with(const Part& stem, std::u32string_view word);

// Does the question name anything besides amounts?
bool asks_about_something(const Part& stem);

// Is a word of the question the name of the only person or figure, a unit that is known from elsewhere, or a
// word that the other question has too?
bool is_echoed(const Token& word, const Part& here, const Part& there);

}  // namespace qdedup::refine
