#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/bank.h"

namespace qdedup::db {

// The current sketch of a question; none if it has no text any more.
struct SketchEntry {
  QuestionId id = 0;
  std::optional<QuestionSketch> sketch;

  friend bool operator==(const SketchEntry&, const SketchEntry&) = default;
};

// Entries as the bytes that the bank keeps:
//
//   1 byte    version, 1
//   4 bytes   number of entries, n
//   8 n bytes `once` of each sketch; 0 where there is none
//   8 n bytes twice
//   4 n bytes signs
//   n bytes   han_length
//   n varints twice the difference of the id to the one before (of the first: to 0), plus 1 where there is a
//             sketch
//   8 bytes   XXH3 64-bit hash (seed 0) of all bytes before
//
// Numbers are little-endian; a varint is as base/varint.h has it. Ids ascend, from 1 to 2^63-1.
std::string encode_sketches(std::span<const SketchEntry> entries);

// A run. Its ids are decoded at once, its sketches one by one.
class SketchRun {
 public:
  // Reads `bytes`, which must outlive the use of the run. Fails with ErrorCode::data if the hash or the
  // format is wrong; the run must not be used then. Memory is linear in the size of the run.
  [[nodiscard]] Status read(std::string_view bytes);

  [[nodiscard]] std::span<const QuestionId> ids() const { return ids_; }  // ascending
  [[nodiscard]] std::optional<QuestionSketch> sketch(std::size_t entry) const;

 private:
  const char* columns_ = nullptr;
  std::vector<QuestionId> ids_;
  std::vector<bool> has_sketch_;
};

// Replaces `entries` by those of a run. Fails as SketchRun::read does, and leaves them unspecified then.
[[nodiscard]] Status decode_sketches(std::string_view bytes, std::vector<SketchEntry>& entries);

// The range of ids in a run, and their number.
struct RunRange {
  QuestionId first = 0;
  QuestionId last = 0;
  std::uint64_t entries = 0;
};

// The sketches of all questions in the bank, in runs: each commit of an import adds one. Reading them all
// takes some 15 ns per question, a thirtieth of the time for its row.
class Sketches {
 public:
  explicit Sketches(Bank& bank) : bank_(bank) {}

  // The number of entries in all runs: at least the number of questions in the bank, more if questions
  // changed.
  Result<std::uint64_t> entries();

  // The runs that may contain ids from `first` to `last`, oldest first.
  Result<std::vector<RunRange>> runs(QuestionId first, QuestionId last);

  // Passes each of these runs to `take`, oldest first. The last entry of a question is the valid one.
  Status for_each_run(QuestionId first, QuestionId last, const std::function<void(const SketchRun&)>& take);

 private:
  Bank& bank_;
};

// The entry for a question that is put into the bank.
SketchEntry sketch_entry(const BankQuestion& question);

// Adds a run of `entries`, which it sorts, with each question once; nothing if there are none. Call it within
// a transaction; throws SQLite::Exception.
void add_run(SQLite::Database& database, std::vector<SketchEntry>& entries);

}  // namespace qdedup::db
