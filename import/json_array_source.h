#pragma once

#include <memory>
#include <string>

#include "logs/byte_source.h"

namespace qdedup::import {

// Converts a JSON array to JSON lines while it is read: each element becomes a line, with the number of the
// line where it begins, or the next one if that is already taken. Anything that does not begin with a bracket
// is returned unchanged, as is what follows the array. An array that does not end is ErrorCode::data; the
// error begins with `name`. An invalid element becomes an invalid line.
std::unique_ptr<logs::ByteSource> json_array_lines(std::unique_ptr<logs::ByteSource> source,
                                                   std::string name);

}  // namespace qdedup::import
