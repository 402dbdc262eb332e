#include "import/question_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/utf8.h"
#include "import/delimited_reader.h"
#include "import/json_lines_reader.h"

namespace qdedup::import {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string shortened(std::string_view found, std::size_t longest) {
  if (found.size() <= longest) return std::string(found);
  std::size_t length = longest;
  while (length > 0 && continues_character(found[length])) --length;
  return std::string(found.substr(0, length)) + "…";
}

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

std::string in_lower_case(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return lower;
}

// Reads one id a line; blanks around it and blank lines are skipped.
class IdLinesReader final : public QuestionReader {
 public:
  explicit IdLinesReader(LineReader lines) : lines_(std::move(lines)) {}

  Result<std::optional<Row>> next() override {
    while (true) {
      QDEDUP_ASSIGN_OR_RETURN(const bool more, lines_.next());
      if (!more) return std::optional<Row>();
      if (lines_.too_long()) return std::optional(Row{lines_.number(), row_error(reason::too_long)});
      const std::string_view digits = without_blanks(lines_.text());
      if (digits.empty()) continue;
      if (const auto id = parse_id(digits)) return std::optional(Row{lines_.number(), Question{*id, {}, {}}});
      return std::optional(Row{lines_.number(), row_error(reason::bad_id, digits)});
    }
  }

  [[nodiscard]] std::uint64_t bytes_read() const override { return lines_.bytes_read(); }
  [[nodiscard]] std::uint64_t size() const override { return lines_.size(); }

 private:
  LineReader lines_;
};

Result<std::unique_ptr<QuestionReader>> reader_of(LineReader lines, QuestionFormat format, RowUse use) {
  if (format != QuestionFormat::jsonl) return DelimitedReader::open(std::move(lines), format, use);
  return std::unique_ptr<QuestionReader>(std::make_unique<JsonLinesReader>(std::move(lines), use));
}

}  // namespace

std::string excerpt(std::string_view found, std::size_t longest) {
  return printable(shortened(found, longest));
}

RowError row_error(std::string_view reason, std::string_view found) {
  return {std::string(reason), excerpt(found)};
}

std::optional<QuestionId> parse_id(std::string_view digits) {
  QuestionId id = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, id);
  if (error != std::errc() || rest != end || id < min_question_id) return std::nullopt;
  return id;
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
  if (without_blanks(line).starts_with('{')) return QuestionFormat::jsonl;
  return line.find('\t') != std::string_view::npos ? QuestionFormat::tsv : QuestionFormat::csv;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       std::optional<QuestionFormat> format, RowUse use) {
  QDEDUP_ASSIGN_OR_RETURN(LineReader lines, open_lines(path, files));
  return read_questions(std::move(lines), format, use);
}

Result<std::unique_ptr<QuestionReader>> read_questions(LineReader lines, std::optional<QuestionFormat> format,
                                                       RowUse use) {
  if (!format && use == RowUse::question) format = format_of_name(lines.name());
  if (format) return reader_of(std::move(lines), *format, use);
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string_view> line, first_line(lines));
  if (use == RowUse::question) {
    return reader_of(std::move(lines), line ? format_of_line(*line) : QuestionFormat::jsonl, use);
  }
  // A first line that is a number is neither a header nor JSON with an id, whatever the file's name says.
  if (!line || is_number(without_blanks(*line))) {
    return std::unique_ptr<QuestionReader>(std::make_unique<IdLinesReader>(std::move(lines)));
  }
  const QuestionFormat found = format_of_name(lines.name()).value_or(format_of_line(*line));
  return reader_of(std::move(lines), found, use);
}

}  // namespace qdedup::import
