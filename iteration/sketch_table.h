#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/sketches.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {

// The sketches of some questions of the bank. Takes at most 36 bytes per question.
class SketchTable {
 public:
  static constexpr std::size_t bytes_per_id = 36;

  // Reads the sketches of the numbered `ids` in one pass over those of the bank.
  static Result<SketchTable> read(db::Bank& bank, miner::IdNumbers ids, unsigned threads,
                                  const Progress& progress);

  // The sketches of `ids`, all of which must have been read; none for a question without text in the bank.
  // Thread-safe. Faster with many ids, because several memory accesses then overlap.
  [[nodiscard]] std::vector<std::optional<QuestionSketch>> of(std::span<const QuestionId> ids) const;

 private:
  struct Slot : QuestionSketch {
    bool has_text = false;
  };
  static_assert(sizeof(Slot) == sizeof(QuestionSketch));

  explicit SketchTable(miner::IdNumbers ids) : ids_(std::move(ids)), slots_(ids_.size()) {}

  void take(const db::SketchRun& run, QuestionId first, QuestionId last);

  miner::IdNumbers ids_;
  std::vector<Slot> slots_;  // by number
};

}  // namespace qdedup::iteration
