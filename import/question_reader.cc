#include "import/question_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/parse_number.h"
#include "base/utf8.h"
#include "import/delimited_reader.h"
#include "import/json_array_source.h"
#include "import/json_question.h"
#include "import/text_source.h"

namespace qdedup::import {
namespace {

std::string printable(std::string text) {
  const bool ascii_only = !is_utf8(text);
  const auto unprintable = [&](char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte < 0x20 || byte == 0x7F || (ascii_only && byte >= 0x80);
  };
  std::replace_if(text.begin(), text.end(), unprintable, '?');
  return text;
}

std::optional<RowError> check_characters(std::string_view text, std::string_view nul,
                                         std::string_view no_utf8) {
  if (text.find('\0') != std::string_view::npos) return row_error(nul, text);
  if (!is_utf8(text)) return row_error(no_utf8, text);
  return std::nullopt;
}

class LineRows final : public QuestionReader {
 public:
  LineRows(LineReader lines, ParseLine parse) : lines_(std::move(lines)), parse_(std::move(parse)) {}

  Result<std::optional<Row>> next() override {
    do {
      QDEDUP_ASSIGN_OR_RETURN(const bool more, lines_.next());
      if (!more) return std::optional<Row>();
      if (lines_.too_long()) return std::optional(Row{lines_.number(), row_error(reason::too_long)});
    } while (without_blanks(lines_.text()).empty());
    return std::optional(Row{lines_.number(), parse_(lines_.text())});
  }

  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return lines_.size(); }

 private:
  LineReader lines_;
  ParseLine parse_;
};

std::variant<Question, RowError> parse_id_line(std::string_view line) {
  const std::string_view digits = without_blanks(line);
  const auto id = parse_id(digits);
  if (!id) return row_error(reason::bad_id, digits);
  return Question{*id, {}, {}};
}

// The rows of a decoded file, where bytes that are not UTF-8 stand for undecodable ones.
class DecodedRows final : public QuestionReader {
 public:
  explicit DecodedRows(std::unique_ptr<QuestionReader> rows) : rows_(std::move(rows)) {}

  Result<std::optional<Row>> next() override {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<Row> row, rows_->next());
    auto* const error = row ? std::get_if<RowError>(&row->content) : nullptr;
    if (error != nullptr && error->reason.ends_with(reason::not_utf8)) error->reason = reason::undecodable;
    return row;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return rows_->size(); }

 private:
  std::unique_ptr<QuestionReader> rows_;
};

using OpenReader = Result<std::unique_ptr<QuestionReader>>;

OpenReader reader_of(LineReader lines, QuestionFormat format, RowUse use, const Columns& columns) {
  if (format != QuestionFormat::jsonl) return DelimitedReader::open(std::move(lines), format, use, columns);
  return read_lines(std::move(lines), [use, columns](std::string_view line) {
    return parse_json_question(line, use, columns);
  });
}

// Reads a file in UTF-8 whose arrays have been converted to lines.
OpenReader reader_of(LineReader lines, const FileShape& shape, RowUse use) {
  std::optional<QuestionFormat> format = shape.format;
  if (!format && use == RowUse::question) format = format_of_name(lines.name());
  if (format) return reader_of(std::move(lines), *format, use, shape.columns);
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string_view> line, first_line(lines));
  if (use == RowUse::question) {
    const QuestionFormat found = line ? format_of_line(*line) : QuestionFormat::jsonl;
    return reader_of(std::move(lines), found, use, shape.columns);
  }
  // If the first line is a number, it is neither a header nor JSON with an id, whatever the file's name
  // suggests.
  if (!line || is_number(without_blanks(*line))) return read_lines(std::move(lines), parse_id_line);
  const QuestionFormat found = format_of_name(lines.name()).value_or(format_of_line(*line));
  return reader_of(std::move(lines), found, use, shape.columns);
}

// Whether the value of an option already begins with its letter and a mark: "A. ", "A、", "(A)".
bool begins_with_mark(std::string_view value, char letter) {
  for (const std::string_view bracket : {"(", "（"}) {
    if (!value.starts_with(bracket)) continue;
    value.remove_prefix(bracket.size());
    break;
  }
  if (!value.starts_with(letter)) return false;
  value.remove_prefix(1);
  constexpr std::string_view marks[] = {".", "．", "。", "、", ":", "：", ")", "）"};
  return std::ranges::any_of(marks, [&](std::string_view mark) { return value.starts_with(mark); });
}

}  // namespace

std::string excerpt(std::string_view found, std::size_t longest) {
  return printable(shortened(found, longest));
}

RowError row_error(std::string_view reason, std::string_view found) {
  return {std::string(reason), excerpt(found)};
}

std::optional<QuestionId> parse_id(std::string_view digits) {
  const auto id = parse_number<QuestionId>(digits);
  return id && *id >= min_question_id ? id : std::nullopt;
}

std::unique_ptr<QuestionReader> read_lines(LineReader lines, ParseLine parse) {
  return std::make_unique<LineRows>(std::move(lines), std::move(parse));
}

std::optional<RowError> check_text(std::string_view text) {
  return check_characters(text, reason::nul_in_text, reason::text_not_utf8);
}

std::optional<RowError> check_answer(std::string_view answer) {
  return check_characters(answer, reason::nul_in_answer, reason::answer_not_utf8);
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
  const std::string_view text = without_blanks(line);
  if (text.starts_with('{') || text.starts_with('[')) return QuestionFormat::jsonl;
  return line.find('\t') != std::string_view::npos ? QuestionFormat::tsv : QuestionFormat::csv;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void add_line(std::string& text, std::string_view name, std::string&& value) {
  if (value.empty()) return;
  const bool is_option = name.size() == 1 && name.front() >= 'A' && name.front() <= 'Z';
  const bool needs_mark = is_option && !begins_with_mark(value, name.front());
  if (text.empty() && !needs_mark) {
    text = std::move(value);
    return;
  }
  if (!text.empty()) text += '\n';
  if (needs_mark) text.append(name).append(". ");
  text += value;
}

std::optional<RowError> check_images(std::span<const std::string> names) {
  if (names.size() > max_images)
    return row_error(reason::too_many_images, "more than " + std::to_string(max_images));
  for (const std::string& name : names) {
    if (name.find('\n') != std::string::npos) return row_error(reason::line_feed_in_images, name);
    if (!is_utf8(name)) return row_error(reason::images_not_utf8, name);
  }
  return std::nullopt;
}

void add_image(std::vector<std::string>& names, std::string&& name) {
  names.push_back(name.find('\0') == std::string::npos ? std::move(name) : std::string());
}

std::vector<std::string> image_names(std::string_view list) {
  using namespace std::string_view_literals;
  constexpr std::string_view separators = " \t\r\n;\0"sv;
  std::vector<std::string> names;
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(separators), list.size()));
    if (list.empty() || names.size() > max_images) return names;
    names.emplace_back(list.substr(0, list.find_first_of(separators)));
    list.remove_prefix(names.back().size());
  }
}

Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       const FileShape& shape, RowUse use) {
  QDEDUP_ASSIGN_OR_RETURN(Input input, open_input(path, files));
  return read_questions(std::move(input), shape, use);
}

Result<std::unique_ptr<QuestionReader>> read_questions(Input input, const FileShape& shape, RowUse use) {
  QDEDUP_ASSIGN_OR_RETURN(auto text,
                          as_utf8(std::move(input.source), input.name, shape.encoding, input.compression));
  const auto told = shape.format ? shape.format : format_of_name(input.name);
  if (told.value_or(QuestionFormat::jsonl) == QuestionFormat::jsonl) {
    text = json_array_lines(std::move(text), input.name);
  }
  LineReader lines(std::move(text), input.size, std::move(input.name));
  QDEDUP_ASSIGN_OR_RETURN(auto reader, reader_of(std::move(lines), shape, use));
  if (shape.encoding.empty() || shape.encoding == "utf-8") return reader;
  return std::unique_ptr<QuestionReader>(std::make_unique<DecodedRows>(std::move(reader)));
}

}  // namespace qdedup::import
