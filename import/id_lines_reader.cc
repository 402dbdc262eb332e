#include "import/id_lines_reader.h"

#include <utility>

#include "import/fields.h"

namespace qdedup::import {

IdLinesReader::IdLinesReader(LineReader lines) : lines_(std::move(lines)) {}

Result<std::optional<Row>> IdLinesReader::next() {
  while (true) {
    const auto more = lines_.next();
    if (!more.ok()) return more.error();
    if (!*more) return std::optional<Row>();
    if (lines_.too_long()) return std::optional(Row{lines_.number(), row_error(reason::too_long)});
    const std::string_view digits = without_blanks(lines_.text());
    if (digits.empty()) continue;
    if (const auto id = parse_id(digits)) return std::optional(Row{lines_.number(), Question{*id, {}, {}}});
    return std::optional(Row{lines_.number(), row_error(reason::bad_id, digits)});
  }
}

}  // namespace qdedup::import
