#include "import/delimited_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "import/delimited_record.h"
#include "import/fields.h"

namespace qdedup::import {
namespace {

bool has_odd_quotes(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

}  // namespace

Result<bool> DelimitedRows::next() {
  while (true) {
    auto more = lines_.next();
    if (!more.ok() || !*more) return more;
    if (lines_.too_long() || !(lines_.text().empty() || lines_.text() == "\r")) break;
  }
  auto problem = split_row();
  if (!problem.ok()) return std::move(problem).error();
  problem_ = *std::move(problem);
  return true;
}

// Splits the row that begins with this line into `fields_`.
Result<std::optional<RowError>> DelimitedRows::split_row() {
  if (lines_.too_long()) return std::optional(row_error(reason::too_long));
  if (format_ == QuestionFormat::tsv) {
    split_tsv(lines_.text(), fields_);
    return std::optional<RowError>();
  }
  auto bad_row = split_csv(lines_.text(), fields_);
  if (!bad_row || bad_row->reason != reason::open_quote) return bad_row;
  return split_quoted_lines(*bad_row);
}

// The row goes on in the lines that follow, up to the one that closes the quote. Only quotes need to be
// counted for that: in a row without errors each of them opens or closes.
Result<std::optional<RowError>> DelimitedRows::split_quoted_lines(const RowError& first_line) {
  for (bool open = true; open;) {
    const std::size_t before = lines_.text().size();
    const auto extension = lines_.extend();
    if (!extension.ok()) return extension.error();
    if (*extension != LineReader::Extension::done) {
      lines_.take_back();
      return std::optional(*extension == LineReader::Extension::at_end ? first_line
                                                                       : row_error(reason::too_long));
    }
    open = !has_odd_quotes(lines_.text().substr(before));
  }
  auto bad_row = split_csv(lines_.text(), fields_);
  if (bad_row) lines_.take_back();
  return bad_row;
}

}  // namespace qdedup::import
