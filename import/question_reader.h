#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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

// The columns of CSV or TSV, or keys of JSON, that a question is read from.
struct Columns {
  std::string id = "id";
  std::vector<std::string> texts = {"text"};  // at least one; joined by line feeds, in this order
  std::optional<std::string> answer;          // none: "answer", if there is one

  [[nodiscard]] std::string_view answer_name() const { return answer ? std::string_view(*answer) : "answer"; }
  // Whether the id or a text is read from it, and so nothing else.
  [[nodiscard]] bool is_taken(std::string_view name) const {
    return name == id || std::ranges::find(texts, name) != texts.end();
  }
};

// What a file does not say about itself.
struct FileShape {
  std::optional<QuestionFormat> format = std::nullopt;
  std::string encoding = {};  // as for as_utf8
  Columns columns = {};
};

struct Question {
  QuestionId id = 0;
  std::string text;  // UTF-8 without NUL, may be empty
  std::optional<std::string> answer;
  // Hashes of what the figures of the text show, in order. UTF-8 without NUL; an empty one means unknown.
  std::vector<std::string> images = {};
  std::optional<std::int64_t> arrived_at = std::nullopt;  // seconds since 1970
};

// A row that cannot be used, and why. `reason` is one of a fixed set of short phrases, so that they can be
// counted ("id is not an integer from 1 to 2^63-1"); `detail` is what was found, shortened, or empty.
struct RowError {
  std::string reason;
  std::string detail;
};

struct Row {
  std::uint64_t line = 0;  // where the row begins, from 1
  std::variant<Question, RowError> content;
};

// Reads questions from a file, row by row, in bounded memory. A bad row is a RowError and does not affect
// other rows.
//
// - jsonl: {"id":1,"text":"…","answer":"…","images":["…"],"arrived_at":"…"} per line, or an array of these;
//   other keys are ignored
// - csv: RFC 4180 with a header that names id and text, and optionally answer, images and arrived_at, in any
//   order; other columns are ignored
// - tsv: the same, separated by tabs, with neither quotes nor escapes
//
// A byte-order mark at the start is skipped. gzip and zstd are unpacked.
class QuestionReader {
 public:
  QuestionReader() = default;
  QuestionReader(const QuestionReader&) = delete;
  QuestionReader& operator=(const QuestionReader&) = delete;
  virtual ~QuestionReader() = default;

  // The next row; none at the end. After an error (I/O, damaged compression, cut off within a member),
  // reading cannot continue.
  virtual Result<std::optional<Row>> next() = 0;

  // Of the file itself, for progress. `size` is 0 if not known (standard input).
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// What rows are read for: questions, or just their ids, to be removed.
enum class RowUse { question, id };

// `path` is a regular file, or "-" for standard input. Without a format it is determined by the file's name
// (.jsonl .ndjson .json .csv .tsv .tab, before .gz or .zst), otherwise by its first line. Errors begin with
// the path; a header without id or text, and a file that is not text (see as_utf8), are ErrorCode::data. For
// RowUse::id the file may also have one id per line, texts are not needed, and rows contain questions with an
// empty text.
Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       const FileShape& shape = {},
                                                       RowUse use = RowUse::question);

// The same for a file that is already open.
Result<std::unique_ptr<QuestionReader>> read_questions(Input input, const FileShape& shape = {},
                                                       RowUse use = RowUse::question);

// The rows of lines with one each, by `parse`; blank lines are skipped.
using ParseLine = std::function<std::variant<Question, RowError>(std::string_view line)>;
std::unique_ptr<QuestionReader> read_lines(LineReader lines, ParseLine parse);

// The format that corresponds to the ending of a file's name, if any.
std::optional<QuestionFormat> format_of_name(std::string_view path);

// The format suggested by the first line: JSON begins with a brace or a bracket, TSV contains a tab.
QuestionFormat format_of_line(std::string_view line);

// Decimal digits and nothing else.
bool is_number(std::string_view text);

// Every possible reason of a RowError.
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
inline constexpr std::string_view too_many_images = "too many images";
inline constexpr std::string_view line_feed_in_images = "images contain a line feed";
inline constexpr std::string_view images_not_utf8 = "images are not UTF-8";
inline constexpr std::string_view bad_arrival =
    "arrived_at is neither a time of RFC 3339 from 1970 on nor whole seconds since then";
inline constexpr std::string_view bad_answer = "answer is neither a string nor a number";
inline constexpr std::string_view nul_in_answer = "answer contains NUL";
inline constexpr std::string_view answer_not_utf8 = "answer is not UTF-8";
}  // namespace reason

// `found`, shortened to about `longest` bytes, with question marks for what may not be printed.
[[nodiscard]] std::string excerpt(std::string_view found, std::size_t longest = 40);

// `found` is shortened to an excerpt.
[[nodiscard]] RowError row_error(std::string_view reason, std::string_view found = {});

// Decimal digits and nothing else; leading zeros are allowed.
[[nodiscard]] std::optional<QuestionId> parse_id(std::string_view digits);

// Adds the value of a text column, or one of several values in it, to `text` as a separate line; an empty one
// adds nothing. A `name` from A to Z is the letter of an option: "A. " is put before the value unless that
// already begins with the letter and a mark.
void add_line(std::string& text, std::string_view name, std::string&& value);

// More hashes of images than these cost their row.
inline constexpr std::size_t max_images = 1000;
[[nodiscard]] std::optional<RowError> check_images(std::span<const std::string> names);

// The names in a list separated by blanks or semicolons; not many more than max_images.
[[nodiscard]] std::vector<std::string> image_names(std::string_view list);

// Adds one of a list; with NUL it is unknown.
void add_image(std::vector<std::string>& names, std::string&& name);

// What is wrong with a text or an answer, if anything is.
[[nodiscard]] std::optional<RowError> check_text(std::string_view text);
[[nodiscard]] std::optional<RowError> check_answer(std::string_view answer);

}  // namespace qdedup::import
