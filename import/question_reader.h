#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/question_id.h"
#include "base/result.h"
#include "logs/byte_source.h"
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
// - jsonl: {"id":1,"text":"…","answer":"…"} a line; other keys are passed over
// - csv: RFC 4180 with a header that names id and text, and perhaps answer, in any order; other columns are
// passed
//   over
// - tsv: the same, separated by tabs, with neither quotes nor escapes
//
// A byte-order mark at the start is passed over. gzip and zstd are unpacked.
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

// `path` is a regular file, or "-" for standard input. Without `format` it is told by the file's name (.jsonl
// .ndjson .json .csv .tsv .tab, with .gz or .zst behind) or else by its first line. Errors begin with the
// path; a header without id or text is ErrorCode::data.
Result<std::unique_ptr<QuestionReader>> open_questions(const std::string& path, const logs::Files& files,
                                                       std::optional<QuestionFormat> format);

// Reads ids to be removed: a file with one id a line, or any file that open_questions takes (texts are not
// needed then). Rows hold questions with an empty text.
Result<std::unique_ptr<QuestionReader>> open_ids(const std::string& path, const logs::Files& files,
                                                 std::optional<QuestionFormat> format);

// The same from a source that is open already; `size` is what size() tells. Errors begin with `name`, and the
// file's name that tells the format is `name` as well.
Result<std::unique_ptr<QuestionReader>> read_questions(std::unique_ptr<logs::ByteSource> source,
                                                       std::uint64_t size, std::string name,
                                                       std::optional<QuestionFormat> format);
Result<std::unique_ptr<QuestionReader>> read_ids(std::unique_ptr<logs::ByteSource> source, std::uint64_t size,
                                                 std::string name, std::optional<QuestionFormat> format);

}  // namespace qdedup::import
