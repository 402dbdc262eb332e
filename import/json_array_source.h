#pragma once

#include <memory>
#include <string>

#include "logs/byte_source.h"

namespace qdedup::import {

// Makes JSON lines of a JSON array, as it is read: each element becomes a line, and stands in the line in
// which it began where that is still to come, or else in the next one. What does not begin with a bracket
// is returned as it is, and what follows the array passes unchanged. An array without an end is
// ErrorCode::data; the error begins with `name`. An element that is no JSON becomes a line that is none.
std::unique_ptr<logs::ByteSource> json_array_lines(std::unique_ptr<logs::ByteSource> source,
                                                   std::string name);

}  // namespace qdedup::import
