#include "import/question_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "import/delimited_reader.h"
#include "import/fields.h"
#include "import/id_lines_reader.h"
#include "import/json_lines_reader.h"
#include "import/line_reader.h"
#include "logs/file_source.h"
#include "logs/unpack.h"

namespace qdedup::import {
namespace {

struct Input {
  std::unique_ptr<logs::ByteSource> source;
  std::uint64_t size = 0;
  std::string name;
};

Result<Input> open_standard_input(const logs::Files& files) {
  const std::string name = logs::StreamSource::standard_input;
  auto packed = files.standard_input();
  if (!packed.ok()) return std::move(packed).error();
  auto unpacked = logs::unpack(*std::move(packed), name);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return Input{std::move(unpacked->source), 0, name};
}

Result<Input> open_input(const std::string& path, const logs::Files& files) {
  if (path == "-") return open_standard_input(files);
  const auto file = files.open(path);
  if (!file.ok()) return file.error();
  auto unpacked = logs::unpack(*file);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return Input{std::move(unpacked->source), (*file)->size(), path};
}

std::string in_lower_case(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return lower;
}

std::optional<QuestionFormat> format_of_name(std::string_view path) {
  const std::string lower = in_lower_case(path);
  std::string_view name = lower;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  constexpr std::array<std::pair<std::string_view, QuestionFormat>, 6> endings = {{
      {".jsonl", QuestionFormat::jsonl},
      {".ndjson", QuestionFormat::jsonl},
      {".json", QuestionFormat::jsonl},
      {".csv", QuestionFormat::csv},
      {".tsv", QuestionFormat::tsv},
      {".tab", QuestionFormat::tsv},
  }};
  for (const auto& [ending, format] : endings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

QuestionFormat format_of_line(std::string_view line) {
  if (without_blanks(line).starts_with('{')) return QuestionFormat::jsonl;
  return line.find('\t') != std::string_view::npos ? QuestionFormat::tsv : QuestionFormat::csv;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The first line that is not blank, if there is one. It comes again.
Result<std::optional<std::string_view>> first_line(LineReader& lines) {
  while (true) {
    const auto more = lines.next();
    if (!more.ok()) return more.error();
    if (!*more) return std::optional<std::string_view>();
    if (!lines.too_long() && without_blanks(lines.text()).empty()) continue;
    lines.repeat();
    return std::optional(lines.text());
  }
}

Result<std::unique_ptr<QuestionReader>> read_rows(LineReader lines, QuestionFormat format, RowUse use) {
  if (format != QuestionFormat::jsonl) return DelimitedReader::open(std::move(lines), format, use);
  return std::unique_ptr<QuestionReader>(std::make_unique<JsonLinesReader>(std::move(lines), use));
}

}  // namespace

Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       std::optional<QuestionFormat> format) {
  auto input = open_input(path, files);
  if (!input.ok()) return std::move(input).error();
  return read_questions(std::move(input->source), input->size, std::move(input->name), format);
}

Result<std::unique_ptr<QuestionReader>> open_ids(const std::string& path, const logs::Files& files,
                                                 std::optional<QuestionFormat> format) {
  auto input = open_input(path, files);
  if (!input.ok()) return std::move(input).error();
  return read_ids(std::move(input->source), input->size, std::move(input->name), format);
}

Result<std::unique_ptr<QuestionReader>> read_questions(std::unique_ptr<logs::ByteSource> source,
                                                       std::uint64_t size, std::string name,
                                                       std::optional<QuestionFormat> format) {
  LineReader lines(std::move(source), size, std::move(name));
  if (!format) format = format_of_name(lines.name());
  if (format) return read_rows(std::move(lines), *format, RowUse::question);
  const auto line = first_line(lines);
  if (!line.ok()) return line.error();
  const QuestionFormat found = *line ? format_of_line(**line) : QuestionFormat::jsonl;
  return read_rows(std::move(lines), found, RowUse::question);
}

// A first line that is a number is neither a header nor JSON with an id, whatever the file's name says.
Result<std::unique_ptr<QuestionReader>> read_ids(std::unique_ptr<logs::ByteSource> source, std::uint64_t size,
                                                 std::string name, std::optional<QuestionFormat> format) {
  LineReader lines(std::move(source), size, std::move(name));
  if (format) return read_rows(std::move(lines), *format, RowUse::id);
  const auto line = first_line(lines);
  if (!line.ok()) return line.error();
  if (!*line || is_number(without_blanks(**line))) {
    return std::unique_ptr<QuestionReader>(std::make_unique<IdLinesReader>(std::move(lines)));
  }
  const QuestionFormat found = format_of_name(lines.name()).value_or(format_of_line(**line));
  return read_rows(std::move(lines), found, RowUse::id);
}

}  // namespace qdedup::import
