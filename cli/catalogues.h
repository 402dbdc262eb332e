#pragma once

#include <string_view>

namespace qdedup::cli {

// The files of cli/data. An entry is a line of English and a line of Chinese; blank lines and those that
// begin with # are between entries.
extern const std::string_view chinese_terms;
extern const std::string_view chinese_messages;

}  // namespace qdedup::cli
