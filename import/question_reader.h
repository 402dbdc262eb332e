#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/question_id.h"
#include "base/result.h"
#include "import/line_reader.h"
#include "logs/files.h"

namespace qdedup::import {

enum class QuestionFormat { jsonl, csv, tsv };

struct Question {
  QuestionId id = 0;
  std::string text;  // UTF-8 without NUL, may be empty
  std::optional<std::string> answer;
};

// A row that cannot be used, and why. `reason` is one of a fixed set of short phrases, for counting ("id is
// not an integer from 1 to 2^63-1"); `detail` is what was found, shortened, or empty.
struct RowError {
  std::string reason;
  std::string detail;
};

struct Row {
  std::uint64_t line = 0;  // where the row begins, counted from 1
  std::variant<Question, RowError> content;
};

// Reads questions from a file, one row at a time, in bounded memory. A bad row is a RowError and loses
// nothing else.
//
// - jsonl: {"id":1,"text":"…","answer":"…"} a line; other keys are ignored
// - csv: RFC 4180 with a header that names id and text, and perhaps answer, in any order; other columns are
//   ignored
// - tsv: the same, separated by tabs, with neither quotes nor escapes
//
// A byte-order mark at the start is skipped. gzip and zstd are unpacked.
class QuestionReader {
 public:
  QuestionReader() = default;
  QuestionReader(const QuestionReader&) = delete;
  QuestionReader& operator=(const QuestionReader&) = delete;
  virtual ~QuestionReader() = default;

  // The next row; nothing at the end. An error (I/O, damaged compression, cut off within a member) ends the
  // reading.
  virtual Result<std::optional<Row>> next() = 0;

  // Of the file itself, for progress. `size` is 0 where it is not known (stdin).
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// What rows are read for: questions, or their ids alone, to be removed.
enum class RowUse { question, id };

// `path` is a regular file, or "-" for standard input. Without `format` the file's name tells it
// (.jsonl .ndjson .json .csv .tsv .tab, before .gz or .zst) or else by its first line. Errors begin with the
// path; a header without id or text is ErrorCode::data. For RowUse::id the file may also have one id a line,
// texts are not needed, and rows hold questions with an empty text.
Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       std::optional<QuestionFormat> format,
                                                       RowUse use = RowUse::question);

// The same from lines that are open already; their name is that of the file.
Result<std::unique_ptr<QuestionReader>> read_questions(LineReader lines, std::optional<QuestionFormat> format,
                                                       RowUse use = RowUse::question);

// The format that the end of a file's name tells, if any.
std::optional<QuestionFormat> format_of_name(std::string_view path);

// The format that the first line tells: JSON begins with a brace, TSV has a tab.
QuestionFormat format_of_line(std::string_view line);

// Decimal digits and nothing else.
bool is_number(std::string_view text);

// Every reason that a RowError can have.
namespace reason {
inline constexpr std::string_view bad_json = "not valid JSON";
inline constexpr std::string_view not_an_object = "not a JSON object";
inline constexpr std::string_view not_utf8 = "not UTF-8";
inline constexpr std::string_view too_long = "row is too long";
inline constexpr std::string_view field_count = "wrong number of fields";
inline constexpr std::string_view stray_quote = "stray quote";
inline constexpr std::string_view open_quote = "quote is not closed";
inline constexpr std::string_view no_id = "id is missing";
inline constexpr std::string_view bad_id = "id is not an integer from 1 to 2^63-1";
inline constexpr std::string_view no_text = "text is missing";
inline constexpr std::string_view bad_text = "text is not a string";
inline constexpr std::string_view nul_in_text = "text contains NUL";
inline constexpr std::string_view text_not_utf8 = "text is not UTF-8";
inline constexpr std::string_view bad_answer = "answer is neither a string nor a number";
inline constexpr std::string_view nul_in_answer = "answer contains NUL";
inline constexpr std::string_view answer_not_utf8 = "answer is not UTF-8";
}  // namespace reason

// `found` shortened to some `longest` bytes, with question marks for what may not be printed.
[[nodiscard]] std::string excerpt(std::string_view found, std::size_t longest = 40);

// `found` is shortened to an excerpt.
[[nodiscard]] RowError row_error(std::string_view reason, std::string_view found = {});

// Decimal digits and nothing else; leading zeros are allowed.
[[nodiscard]] std::optional<QuestionId> parse_id(std::string_view digits);

// What is wrong with a text or an answer, if anything is.
[[nodiscard]] std::optional<RowError> check_text(std::string_view text);
[[nodiscard]] std::optional<RowError> check_answer(std::string_view answer);

}  // namespace qdedup::import
