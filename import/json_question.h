#pragma once

#include <string_view>
#include <variant>

#include "import/question_reader.h"

namespace qdedup::import {

// Reads {"id":1,"text":"…","answer":"…","images":["…"]} from a line of strict JSON (RFC 8259), optionally
// after a byte-order mark. If a key is repeated, the last value counts.
//
// - The id is an integer, or a string of digits: 7 or "7", not 7.0 or 7e0.
// - A text is a string, or a list or object of strings, numbers and nulls, each of which becomes a line.
//   Under the first key, a list contains lines; under any other, options, which become A., B. and so on. In
//   objects, a key that is a single letter from A to Z names an option (add_line). If there are several keys,
//   some may be missing, null or a number.
// - An answer may be a number, which is taken as written, or null for none.
// - `images` is a list of strings, or a string (image_names); anything else is ignored.
//
// Linear in the line, at any nesting.
std::variant<Question, RowError> parse_json_question(std::string_view line, RowUse use,
                                                     const Columns& columns = {});

}  // namespace qdedup::import
