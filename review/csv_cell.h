#pragma once

#include <string>
#include <string_view>

namespace qdedup::review {

// A text as a spreadsheet may show it without taking it for a formula: with a leading ' where it starts with
// = + - @ TAB or CR (OWASP, "CSV injection").
std::string without_formula(std::string_view text);

// The same text again: without a ' that stands before = + - @ TAB or CR.
std::string without_guard(std::string_view cell);

// A cell of RFC 4180: in quotes where it holds a comma, a quote, CR or LF.
std::string csv_cell(std::string_view text);

}  // namespace qdedup::review
