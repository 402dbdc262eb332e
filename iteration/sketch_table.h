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

// The sketches of some questions of the bank. At most 36 bytes for each of them.
class SketchTable {
 public:
  static constexpr std::size_t bytes_per_id = 36;

  // Reads the sketches of `ids`, whose numbers are given; one pass over the sketches of the bank, on so many
  // threads.
  static Result<SketchTable> read(db::Bank& bank, miner::IdNumbers ids, unsigned threads,
                                  const Progress& progress);

  // For each of `ids`, which are among those that were read: its sketch; none where it has no text in the
  // bank. May be called by several threads at once. Best with many ids: accesses to memory are under way at
  // the same time.
  [[nodiscard]] std::vector<std::optional<QuestionSketch>> of(std::span<const QuestionId> ids) const;

 private:
  struct Slot {
    std::uint64_t once;
    std::uint64_t twice;
    std::uint32_t signs;
    std::uint8_t han_length;
    bool has_text;
  };

  explicit SketchTable(miner::IdNumbers ids) : ids_(std::move(ids)), slots_(ids_.size()) {}

  void take(const db::SketchRun& run, QuestionId first, QuestionId last);

  miner::IdNumbers ids_;
  std::vector<Slot> slots_;  // by number
};

}  // namespace qdedup::iteration
