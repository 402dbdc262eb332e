#pragma once

#include <string>

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

}  // namespace qdedup::markup
