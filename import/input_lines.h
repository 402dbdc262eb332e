#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "import/line_reader.h"
#include "import/question_reader.h"
#include "logs/files.h"

namespace qdedup::import {

// The lines of a regular file, or of standard input ("-"); gzip and zstd are unpacked. Errors begin with the
// path.
Result<LineReader> open_lines(const std::string& path, const logs::Files& files);

// What the end of a file's name tells of its format (.jsonl .ndjson .json .csv .tsv .tab, with .gz or .zst
// behind), if anything.
std::optional<QuestionFormat> format_of_name(std::string_view path);

// What the first line tells: JSON begins with a brace, TSV has a tab.
QuestionFormat format_of_line(std::string_view line);

// Decimal digits and nothing else.
bool is_number(std::string_view text);

// The first line that is not blank, if there is one. It comes again.
Result<std::optional<std::string_view>> first_line(LineReader& lines);

}  // namespace qdedup::import
