#include "import/delimited_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "import/fields.h"

namespace qdedup::import {
namespace {

std::optional<std::size_t> position_of(std::string_view name, const std::vector<std::string>& columns) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::string shown(const std::vector<std::string>& columns) {
  constexpr std::size_t longest = 100;
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : " | ") + column;
  return excerpt(text, longest);
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
    : rows_(std::move(lines), format), use_(use) {}

Result<std::unique_ptr<QuestionReader>> DelimitedReader::open(LineReader lines, QuestionFormat format,
                                                              RowUse use) {
  std::unique_ptr<DelimitedReader> reader(new DelimitedReader(std::move(lines), format, use));
  QDEDUP_TRY(reader->read_header());
  return std::unique_ptr<QuestionReader>(std::move(reader));
}

Status DelimitedReader::read_header() {
  const auto more = rows_.next();
  if (!more.ok()) return more.error();
  const std::string& name = rows_.lines().name();
  if (!*more) return Error{ErrorCode::data, name + ": there is no header"};
  if (rows_.problem()) return Error{ErrorCode::data, name + ": header: " + rows_.problem()->reason};
  const std::vector<std::string>& names = rows_.fields();
  if (const auto problem = problem_of_header(names, use_)) {
    return Error{ErrorCode::data, name + ": " + *problem};
  }
  columns_ = {names.size(), *position_of("id", names), position_of("text", names),
              position_of("answer", names)};
  return {};
}

Result<std::optional<Row>> DelimitedReader::next() {
  const auto more = rows_.next();
  if (!more.ok()) return more.error();
  if (!*more) return std::optional<Row>();
  const std::uint64_t line = rows_.lines().number();
  if (rows_.problem()) return std::optional(Row{line, *rows_.problem()});
  return std::optional(Row{line, to_question()});
}

std::variant<Question, RowError> DelimitedReader::to_question() {
  std::vector<std::string>& fields = rows_.fields();
  if (fields.size() != columns_.count) {
    return row_error(reason::field_count,
                     std::to_string(fields.size()) + " instead of " + std::to_string(columns_.count));
  }
  const auto id = parse_id(fields[columns_.id]);
  if (!id)
    return row_error(fields[columns_.id].empty() ? reason::no_id : reason::bad_id, fields[columns_.id]);
  Question question;
  question.id = *id;
  if (use_ == RowUse::id) return question;
  std::string& text = fields[*columns_.text];
  if (auto error = check_text(text)) return *std::move(error);
  question.text = text;
  if (!columns_.answer || fields[*columns_.answer].empty()) return question;
  if (auto error = check_answer(fields[*columns_.answer])) return *std::move(error);
  question.answer = fields[*columns_.answer];
  return question;
}

}  // namespace qdedup::import
