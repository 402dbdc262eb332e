#include "import/question_reader.h"

#include <string_view>
#include <utility>

#include "import/delimited_reader.h"
#include "import/fields.h"
#include "import/id_lines_reader.h"
#include "import/input_lines.h"
#include "import/json_lines_reader.h"
#include "import/line_reader.h"

namespace qdedup::import {
namespace {

Result<std::unique_ptr<QuestionReader>> read_rows(LineReader lines, QuestionFormat format, RowUse use) {
  if (format != QuestionFormat::jsonl) return DelimitedReader::open(std::move(lines), format, use);
  return std::unique_ptr<QuestionReader>(std::make_unique<JsonLinesReader>(std::move(lines), use));
}

Result<std::unique_ptr<QuestionReader>> questions_of(LineReader lines, std::optional<QuestionFormat> format) {
  if (!format) format = format_of_name(lines.name());
  if (format) return read_rows(std::move(lines), *format, RowUse::question);
  const auto line = first_line(lines);
  if (!line.ok()) return line.error();
  const QuestionFormat found = *line ? format_of_line(**line) : QuestionFormat::jsonl;
  return read_rows(std::move(lines), found, RowUse::question);
}

// A first line that is a number is neither a header nor JSON with an id, whatever the file's name says.
Result<std::unique_ptr<QuestionReader>> ids_of(LineReader lines, std::optional<QuestionFormat> format) {
  if (format) return read_rows(std::move(lines), *format, RowUse::id);
  const auto line = first_line(lines);
  if (!line.ok()) return line.error();
  if (!*line || is_number(without_blanks(**line))) {
    return std::unique_ptr<QuestionReader>(std::make_unique<IdLinesReader>(std::move(lines)));
  }
  const QuestionFormat found = format_of_name(lines.name()).value_or(format_of_line(**line));
  return read_rows(std::move(lines), found, RowUse::id);
}

}  // namespace

Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       std::optional<QuestionFormat> format) {
  auto lines = open_lines(path, files);
  if (!lines.ok()) return std::move(lines).error();
  return questions_of(*std::move(lines), format);
}

Result<std::unique_ptr<QuestionReader>> open_ids(const std::string& path, const logs::Files& files,
                                                 std::optional<QuestionFormat> format) {
  auto lines = open_lines(path, files);
  if (!lines.ok()) return std::move(lines).error();
  return ids_of(*std::move(lines), format);
}

Result<std::unique_ptr<QuestionReader>> read_questions(std::unique_ptr<logs::ByteSource> source,
                                                       std::uint64_t size, std::string name,
                                                       std::optional<QuestionFormat> format) {
  return questions_of(LineReader(std::move(source), size, std::move(name)), format);
}

Result<std::unique_ptr<QuestionReader>> read_ids(std::unique_ptr<logs::ByteSource> source, std::uint64_t size,
                                                 std::string name, std::optional<QuestionFormat> format) {
  return ids_of(LineReader(std::move(source), size, std::move(name)), format);
}

}  // namespace qdedup::import
