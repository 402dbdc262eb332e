#pragma once

#include <cstddef>
#include <string_view>

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// What the clauses that ask say, beside what the rest of two stems says. All linear in the lengths.

// Do both ask for as many amounts, in the same manner?
bool asks_for_as_many(const Part& a, const Part& b);

// Do both ask how many, one more often than the other, and not in turn?
bool asks_more(const Part& a, const Part& b);

// Do both ask for as many amounts, one together and the other in turn? “甲、乙几个”, “甲几个，乙几个”
bool asks_in_turn(const Part& a, const Part& b);

// 甲, 乙 and so on, which name one of several.
bool is_letter(const Token& token);

// Does a word of the question, filler or not, hold this?
bool asks_with(const Part& stem, std::u32string_view word);

// Is there but one person, perhaps mentioned several times?
bool has_one_person(const Part& stem);

// Does the question name anything besides amounts?
bool asks_about_something(const Part& stem);

// Is a word of the question the name of the only person or figure, a unit that is known from elsewhere, or a
// word that the other question has too?
bool is_echoed(const Token& word, const Part& here, const Part& there);

}  // namespace qdedup::refine
