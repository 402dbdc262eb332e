#include "import/delimited_reader.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "import/arrival_time.h"
#include "import/question_reader.h"

namespace qdedup::import {
namespace {

constexpr std::size_t max_fields = 4096;

// Its memory is used again unless it is much.
std::string& field_at(std::vector<std::string>& fields, std::size_t index) {
  constexpr std::size_t most_kept = 65'536;
  if (index == fields.size()) fields.emplace_back();
  if (fields[index].capacity() > most_kept) fields[index] = {};
  fields[index].clear();
  return fields[index];
}

// Moves the quoted text at the front of `rest` to `field`; `rest` then begins after the closing quote.
bool take_quoted(std::string_view& rest, std::string& field) {
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    field += rest.substr(0, quote);
    if (quote == std::string_view::npos) return false;
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return true;
    field += '"';
    rest.remove_prefix(1);
  }
}

bool has_odd_quotes(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

// Those that have a name.
std::string shown(const std::vector<std::string>& columns) {
  constexpr std::size_t longest = 100;
  std::string text;
  for (const std::string& column : columns) {
    if (!column.empty()) text += (text.empty() ? "" : " | ") + column;
  }
  return text.empty() ? "none" : excerpt(text, longest);
}

}  // namespace

std::optional<RowError> split_record(std::string_view record, QuestionFormat format,
                                     std::vector<std::string>& fields) {
  const bool has_quotes = format == QuestionFormat::csv;
  const char separator = has_quotes ? ',' : '\t';
  std::string_view rest = record.substr(0, record.size() - (record.ends_with('\r') ? 1 : 0));
  for (std::size_t count = 0;; rest.remove_prefix(1)) {
    if (count == max_fields) return row_error(reason::field_count, "more than " + std::to_string(max_fields));
    std::string& field = field_at(fields, count++);
    if (has_quotes && rest.starts_with('"')) {
      if (!take_quoted(rest, field)) return row_error(reason::open_quote, field);
      if (!rest.empty() && rest.front() != separator)
        return row_error(reason::stray_quote, field + '"' + std::string(rest));
    } else {
      field = rest.substr(0, rest.find(separator));
      if (has_quotes && field.find('"') != std::string::npos) return row_error(reason::stray_quote, field);
      rest.remove_prefix(field.size());
    }
    if (!rest.empty()) continue;
    fields.resize(count);
    return std::nullopt;
  }
}

Result<std::optional<std::size_t>> column_in(const std::vector<std::string>& header, std::string_view name,
                                             bool needed) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) {
    if (!needed) return std::optional<std::size_t>();
    return Error{ErrorCode::data,
                 "the header names no column " + std::string(name) + ", but: " + shown(header)};
  }
  if (std::find(found + 1, header.end(), name) != header.end())
    return Error{ErrorCode::data, "the header names the column " + std::string(name) + " twice"};
  return std::optional(static_cast<std::size_t>(found - header.begin()));
}

RowError wrong_field_count(std::size_t count, std::size_t expected) {
  return row_error(reason::field_count, std::to_string(count) + " instead of " + std::to_string(expected));
}

Result<bool> DelimitedRows::next() {
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines_.next());
    if (!more) return false;
    if (lines_.too_long() || !(lines_.text().empty() || lines_.text() == "\r")) break;
  }
  QDEDUP_ASSIGN_OR_RETURN(problem_, split_row());
  return true;
}

// Splits the row that begins in this line into `fields_`.
Result<std::optional<RowError>> DelimitedRows::split_row() {
  if (lines_.too_long()) return std::optional(row_error(reason::too_long));
  auto bad_row = split_record(lines_.text(), format_, fields_);
  if (!bad_row || bad_row->reason != reason::open_quote) return bad_row;
  return split_quoted_lines(*bad_row);
}

// Extends the row by the following lines, up to the one that closes the quote. Counting quotes is enough: in
// a valid row, each of them opens or closes.
Result<std::optional<RowError>> DelimitedRows::split_quoted_lines(const RowError& first_line) {
  for (bool open = true; open;) {
    const std::size_t before = lines_.text().size();
    QDEDUP_ASSIGN_OR_RETURN(const LineReader::Extension extension, lines_.extend());
    if (extension != LineReader::Extension::done) {
      lines_.take_back();
      return std::optional(extension == LineReader::Extension::at_end ? first_line
                                                                      : row_error(reason::too_long));
    }
    open = !has_odd_quotes(lines_.text().substr(before));
  }
  auto bad_row = split_record(lines_.text(), format_, fields_);
  if (bad_row) lines_.take_back();
  return bad_row;
}

DelimitedReader::DelimitedReader(LineReader lines, QuestionFormat format, RowUse use, Columns columns)
    : rows_(std::move(lines), format), use_(use), columns_(std::move(columns)) {}

Result<std::unique_ptr<QuestionReader>> DelimitedReader::open(LineReader lines, QuestionFormat format,
                                                              RowUse use, const Columns& columns) {
  std::unique_ptr<DelimitedReader> reader(new DelimitedReader(std::move(lines), format, use, columns));
  QDEDUP_TRY(reader->read_header());
  return std::unique_ptr<QuestionReader>(std::move(reader));
}

Status DelimitedReader::read_header() {
  QDEDUP_ASSIGN_OR_RETURN(const bool more, rows_.next());
  const std::string& name = rows_.lines().name();
  if (!more) return Error{ErrorCode::data, name + ": there is no header"};
  if (rows_.problem()) return Error{ErrorCode::data, name + ": header: " + rows_.problem()->reason};
  Status found = find_columns(rows_.fields());
  return found.ok() ? found : Status(std::move(found).error().within(name));
}

Status DelimitedReader::find_columns(const std::vector<std::string>& header) {
  positions_.count = header.size();
  QDEDUP_ASSIGN_OR_RETURN(const auto id, column_in(header, columns_.id, true));
  positions_.id = *id;
  if (use_ == RowUse::id) return {};
  for (const std::string& name : columns_.texts) {
    QDEDUP_ASSIGN_OR_RETURN(const auto text, column_in(header, name, true));
    positions_.texts.push_back(*text);
  }
  QDEDUP_ASSIGN_OR_RETURN(const auto answer,
                          column_in(header, columns_.answer_name(), columns_.answer.has_value()));
  const auto unless_taken = [&](std::string_view name, std::optional<std::size_t> position) {
    return columns_.is_taken(name) ? std::nullopt : position;
  };
  positions_.answer = unless_taken(columns_.answer_name(), answer);
  QDEDUP_ASSIGN_OR_RETURN(const auto images, column_in(header, "images", false));
  positions_.images = unless_taken("images", images);
  QDEDUP_ASSIGN_OR_RETURN(const auto arrived_at, column_in(header, "arrived_at", false));
  positions_.arrived_at = unless_taken("arrived_at", arrived_at);
  return {};
}

Result<std::optional<Row>> DelimitedReader::next() {
  QDEDUP_ASSIGN_OR_RETURN(const bool more, rows_.next());
  if (!more) return std::optional<Row>();
  const std::uint64_t line = rows_.lines().number();
  if (rows_.problem()) return std::optional(Row{line, *rows_.problem()});
  return std::optional(Row{line, to_question()});
}

std::variant<Question, RowError> DelimitedReader::to_question() {
  std::vector<std::string>& fields = rows_.fields();
  if (fields.size() != positions_.count) {
    return wrong_field_count(fields.size(), positions_.count);
  }
  const std::string& id = fields[positions_.id];
  const auto number = parse_id(id);
  if (!number) return row_error(id.empty() ? reason::no_id : reason::bad_id, id);
  Question question;
  question.id = *number;
  if (use_ == RowUse::id) return question;
  if (positions_.answer && !fields[*positions_.answer].empty()) question.answer = fields[*positions_.answer];
  if (positions_.images) question.images = image_names(fields[*positions_.images]);
  if (auto error = check_images(question.images)) return *std::move(error);
  if (auto error = take_text(question.text)) return *std::move(error);
  if (auto error = check_answer(question.answer.value_or(""))) return *std::move(error);
  if (positions_.arrived_at && !fields[*positions_.arrived_at].empty()) {
    question.arrived_at = parse_arrival_time(fields[*positions_.arrived_at]);
    if (!question.arrived_at) return row_error(reason::bad_arrival, fields[*positions_.arrived_at]);
  }
  return question;
}

std::optional<RowError> DelimitedReader::take_text(std::string& text) {
  for (std::size_t i = 0; i < positions_.texts.size(); ++i) {
    std::string& field = rows_.fields()[positions_.texts[i]];
    if (auto error = check_text(field)) return error;
    add_line(text, i == 0 ? "" : columns_.texts[i], std::move(field));
  }
  return std::nullopt;
}

}  // namespace qdedup::import
