#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/bank.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {

// The sketches of some questions of the bank. At most 28 bytes for each of them.
class SketchTable {
 public:
  static constexpr std::size_t bytes_per_id = 28;

  // Reads the sketches of `ids`, whose numbers are given; one pass over the sketches of the bank.
  static Result<SketchTable> read(db::Bank& bank, miner::IdNumbers ids);

  // For each of `ids`, which are among those that were read: its sketch; none where it has no text in the
  // bank. May be called by several threads at once.
  [[nodiscard]] std::vector<std::optional<QuestionSketch>> of(std::span<const QuestionId> ids) const;

 private:
  // A sketch without padding beside it.
  struct Slot {
    std::uint64_t characters = 0;
    std::uint32_t signs = 0;
    std::uint8_t han_length = 0;
    bool has_text = false;
  };

  explicit SketchTable(miner::IdNumbers ids) : ids_(std::move(ids)), slots_(ids_.size()) {}

  miner::IdNumbers ids_;
  std::vector<Slot> slots_;  // by number
};

}  // namespace qdedup::iteration
