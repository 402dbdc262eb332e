#include "import/delimited_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "import/delimited_record.h"
#include "import/fields.h"

namespace qdedup::import {
namespace {

bool has_odd_quotes(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

std::optional<std::size_t> position_of(std::string_view name, const std::vector<std::string>& columns) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

// The columns of a header, shortened.
std::string shown(const std::vector<std::string>& columns) {
  constexpr std::size_t longest = 100;
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : " | ") + column;
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

std::optional<std::string> problem_of_header(const std::vector<std::string>& columns, RowUse use) {
  for (const std::string_view name : {"id", "text", "answer"}) {
    if (name != "id" && use == RowUse::id) break;
    const auto count = std::count(columns.begin(), columns.end(), name);
    if (count == 0 && name != "answer") {
      return "the header names no column " + std::string(name) + ", but: " + shown(columns);
    }
    if (count > 1) return "the header names the column " + std::string(name) + " twice";
  }
  return std::nullopt;
}

}  // namespace

DelimitedReader::DelimitedReader(LineReader lines, QuestionFormat format, RowUse use)
    : lines_(std::move(lines)), format_(format), use_(use) {}

Result<std::unique_ptr<QuestionReader>> DelimitedReader::open(LineReader lines, QuestionFormat format,
                                                              RowUse use) {
  std::unique_ptr<DelimitedReader> reader(new DelimitedReader(std::move(lines), format, use));
  QDEDUP_TRY(reader->read_header());
  return std::unique_ptr<QuestionReader>(std::move(reader));
}

Status DelimitedReader::read_header() {
  const auto more = next_line();
  if (!more.ok()) return more.error();
  if (!*more) return Error{ErrorCode::data, lines_.name() + ": there is no header"};
  const auto bad_row = split_row();
  if (!bad_row.ok()) return bad_row.error();
  if (*bad_row) return Error{ErrorCode::data, lines_.name() + ": header: " + (*bad_row)->reason};
  if (const auto problem = problem_of_header(fields_, use_)) {
    return Error{ErrorCode::data, lines_.name() + ": " + *problem};
  }
  columns_ = {fields_.size(), *position_of("id", fields_), position_of("text", fields_),
              position_of("answer", fields_)};
  return {};
}

Result<std::optional<Row>> DelimitedReader::next() {
  const auto more = next_line();
  if (!more.ok()) return more.error();
  if (!*more) return std::optional<Row>();
  auto bad_row = split_row();
  if (!bad_row.ok()) return std::move(bad_row).error();
  if (*bad_row) return std::optional(Row{lines_.number(), *std::move(*bad_row)});
  return std::optional(Row{lines_.number(), to_question()});
}

// Goes to the next line that is not blank.
Result<bool> DelimitedReader::next_line() {
  while (true) {
    auto more = lines_.next();
    const bool blank =
        more.ok() && *more && !lines_.too_long() && (lines_.text().empty() || lines_.text() == "\r");
    if (!blank) return more;
  }
}

// Splits the row that begins with this line into `fields_`.
Result<std::optional<RowError>> DelimitedReader::split_row() {
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
Result<std::optional<RowError>> DelimitedReader::split_quoted_lines(const RowError& first_line) {
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

std::variant<Question, RowError> DelimitedReader::to_question() {
  if (fields_.size() != columns_.count) {
    return row_error(reason::field_count,
                     std::to_string(fields_.size()) + " instead of " + std::to_string(columns_.count));
  }
  const auto id = parse_id(fields_[columns_.id]);
  if (!id)
    return row_error(fields_[columns_.id].empty() ? reason::no_id : reason::bad_id, fields_[columns_.id]);
  Question question;
  question.id = *id;
  if (use_ == RowUse::id) return question;
  std::string& text = fields_[*columns_.text];
  if (auto error = check_text(text)) return *std::move(error);
  question.text = text;
  if (!columns_.answer || fields_[*columns_.answer].empty()) return question;
  if (auto error = check_answer(fields_[*columns_.answer])) return *std::move(error);
  question.answer = fields_[*columns_.answer];
  return question;
}

}  // namespace qdedup::import
