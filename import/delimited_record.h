#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/question_reader.h"

namespace qdedup::import {

// Splits a CSV record (RFC 4180, without the newline at its end; a carriage return there is dropped) into
// `fields`, whose strings it uses again. Linear. After an error `fields` is unspecified.
std::optional<RowError> split_csv(std::string_view record, std::vector<std::string>& fields);

// The same for tab-separated values, which know neither quotes nor errors.
void split_tsv(std::string_view record, std::vector<std::string>& fields);

}  // namespace qdedup::import
