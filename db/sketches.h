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

// The sketch that a question has from now on; none: it has no text any more.
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

// A run, of which the ids are decoded at once and sketches one by one.
class SketchRun {
 public:
  // Reads `bytes`, which must outlive the use of the run. Fails with ErrorCode::data where the hash is wrong
  // or the form is not kept; the run may not be used then. Memory is bounded by the size of the run.
  [[nodiscard]] Status read(std::string_view bytes);

  [[nodiscard]] std::span<const QuestionId> ids() const { return ids_; }  // ascending
  [[nodiscard]] std::optional<QuestionSketch> sketch(std::size_t entry) const;

 private:
  const char* columns_ = nullptr;
  std::vector<QuestionId> ids_;
  std::vector<bool> has_sketch_;
};

// Replaces `entries` by those of a run; fails as SketchRun::read does, and leaves them unspecified then.
[[nodiscard]] Status decode_sketches(std::string_view bytes, std::vector<SketchEntry>& entries);

// Which ids a run concerns, and how many.
struct RunRange {
  QuestionId first = 0;
  QuestionId last = 0;
  std::uint64_t entries = 0;
};

// The sketches of all questions of the bank, in runs: each commit of an import adds one. To read them all
// takes some 15 ns a question, a thirtieth of what its row takes.
class Sketches {
 public:
  explicit Sketches(Bank& bank) : bank_(bank) {}

  // How many entries the runs have: as many as the bank has questions, and more where questions changed.
  Result<std::uint64_t> entries();

  // The runs that may concern ids from `first` to `last`, oldest first.
  Result<std::vector<RunRange>> runs(QuestionId first, QuestionId last);

  // Hands each of these runs to `take`, oldest first: of each question the last entry holds.
  Status for_each_run(QuestionId first, QuestionId last, const std::function<void(const SketchRun&)>& take);

 private:
  Bank& bank_;
};

// What a run says of a question that is put into the bank.
SketchEntry sketch_entry(const BankQuestion& question);

// Adds a run of `entries`, which are sorted, each question once; nothing where there are none. To be called
// within a transaction; throws SQLite::Exception.
void add_run(SQLite::Database& database, std::vector<SketchEntry>& entries);

}  // namespace qdedup::db
