#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "import/line_reader.h"
#include "logs/files.h"

namespace qdedup::import {

enum class QuestionFormat { jsonl, csv, tsv };

// Which columns of CSV or TSV, or keys of JSON, a question is read from.
struct Columns {
  std::string id = "id";
  std::vector<std::string> texts = {"text"};  // one at least; joined by line feeds, in this order
  std::optional<std::string> answer;          // nothing: "answer", where there is one

  [[nodiscard]] std::string_view answer_name() const { return answer ? std::string_view(*answer) : "answer"; }
};

// What a file does not tell of itself.
struct FileShape {
  std::optional<QuestionFormat> format = std::nullopt;
  std::string encoding = {};  // as for as_utf8
  Columns columns = {};
};

struct Question {
  QuestionId id = 0;
  std::string text;  // UTF-8 without NUL, may be empty
  std::optional<std::string> answer;
  // What the figures of the text show, in their order: hashes. UTF-8 without NUL; an empty one says nothing.
  std::vector<std::string> images = {};
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
// - jsonl: {"id":1,"text":"…","answer":"…","images":["…"]} a line, or an array of these; other keys are
//   ignored
// - csv: RFC 4180 with a header that names id and text, and perhaps answer and images, in any order; other
//   columns are ignored
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

// `path` is a regular file, or "-" for standard input. Without a format the file's name tells it
// (.jsonl .ndjson .json .csv .tsv .tab, before .gz or .zst) or else its first line. Errors begin with the
// path; a header without id or text, and a file that is no text (see as_utf8), are ErrorCode::data. For
// RowUse::id the file may also have one id a line, texts are not needed, and rows hold questions with an
// empty text.
Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       const FileShape& shape = {},
                                                       RowUse use = RowUse::question);

// The same from a file that is open already.
Result<std::unique_ptr<QuestionReader>> read_questions(Input input, const FileShape& shape = {},
                                                       RowUse use = RowUse::question);

// The format that the end of a file's name tells, if any.
std::optional<QuestionFormat> format_of_name(std::string_view path);

// The format that the first line tells: JSON begins with a brace or a bracket, TSV has a tab.
QuestionFormat format_of_line(std::string_view line);

// Decimal digits and nothing else.
bool is_number(std::string_view text);

// Every reason that a RowError can have.
namespace reason {
inline constexpr std::string_view bad_json = "not valid JSON";
inline constexpr std::string_view not_an_object = "not a JSON object";
inline constexpr std::string_view not_utf8 = "not UTF-8";
inline constexpr std::string_view undecodable = "bytes that are no character of the file's encoding";
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

// Adds the value of a text column, or one of several that it holds, to `text`, as a line of its own; an empty
// one adds nothing. A `name` from A to Z is the letter of an option: "A. " goes before a value that does not
// begin with that letter and a mark itself.
void add_line(std::string& text, std::string_view name, std::string&& value);

// The names in a list that is separated by blanks or semicolons.
[[nodiscard]] std::vector<std::string> image_names(std::string_view list);

// What is wrong with a text or an answer, if anything is.
[[nodiscard]] std::optional<RowError> check_text(std::string_view text);
[[nodiscard]] std::optional<RowError> check_answer(std::string_view answer);

}  // namespace qdedup::import
