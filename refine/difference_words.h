#pragma once

#include <span>

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// What the words of a difference are, by themselves. All linear in their number.
using Words = std::span<const Token>;

// Has one of the texts nothing here?
bool one_sided(const Difference& difference);

// The words of a one-sided difference.
Words added(const Difference& difference);

// Does it stand for what is asked? 求 does not, it asks for what other words name.
bool is_query(const Token& token);

// Has no list this word, neither a list of kinds nor the one of opposites?
bool is_unlisted(const Token& token);
bool all_unlisted(const Difference& difference);
bool any_unlisted(const Difference& difference);

// Has one side a single verbal complement more?
bool is_complement(const Difference& difference);

// None, or the name of a place, in which a list may have single characters.
bool may_name_place(Words words);

// Mostly words that no list has; the single characters among them that lists have are likely parts of those.
bool may_be_phrase(Words words);

// Words that no list has but for few single characters, none of which relates anything.
bool is_description(Words words);

}  // namespace qdedup::refine
