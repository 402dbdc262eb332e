#pragma once

#include <string_view>

// What can be seen of a text that is being read, with its marks (markup/marks.h). All are linear.
namespace qdedup::markup {

// Is it nothing but white space?
bool shows_nothing(std::string_view text);

// Is it white space that is as wide as a blank: more than one space between words?
bool is_wide_space(std::string_view text);

// What stands before white space, marks and figures at the end; mark::close ends what can be seen.
std::string_view without_space_behind(std::string_view text);

// Is Chinese among the first characters?
bool has_han(std::string_view text);

// Is there more than one character that can be seen?
bool has_several_characters(std::string_view text);

}  // namespace qdedup::markup
