#pragma once

#include <string>
#include <string_view>

// What is done to a text when it has no markup any more. All are linear.
namespace qdedup::markup {

// Takes out what sites write into the questions that they give away (markup/data/watermarks.txt).
void remove_watermarks(std::string& text);

// Takes out white space next to a comma between signs in brackets without Chinese, (-3, 2) as (-3,2), and
// between numbers, 1, 2 as 1,2. A group of three digits after it may be thousands, and stays apart.
void join_at_commas(std::string& text);

// Takes out the inner of two pairs of ASCII brackets round the same: ((a/b)) as (a/b).
void join_brackets(std::string& text);

// Runs of white space as one line break, or else one space; none at either end.
void collapse_white_space(std::string& text);

// Characters that readers of print and typists take for one another become what they must be
// where they stand: a square before three corners is a triangle (□ABC), a zero with an index is an O (0₂), an
// "or" without operands is a V, and one between propositions is no V (p V q), lines AB//CD are parallel.
// Linear.
void mend_confusables(std::string& text);

// Marks what a text has in plain letters and formulas have lowered or raised: CO2 with a lowered 2, A1B1, F1,
// Cu2+ with a raised 2+, 5cm2 with a raised 2.
//
// A number of one or two digits is lowered after letters of which each is a capital or an element, and
// after a single one but A to D, which may mark an option. A plus or minus is a charge where nothing follows
// that could be added. White space before a number does not count, as it never does for signs. Linear.
void mark_plain_scripts(std::string& text);

// A text without the number, the score and the source that stand in front of it, without a score after its
// stem, and with its options marked as "A. ", however they were. UTF-8. Linear.
//
// A number is "5．", "5、", "第5题", or "（12）" with a full stop or a score after it; no decimal, and no
// number of a list: "2、3、5 的最小公倍数" stays as it is. A source is in brackets and has one of the words
// of markup/data/sources.txt.
std::string without_numbering(std::string_view text);

}  // namespace qdedup::markup
