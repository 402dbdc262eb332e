#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/question_sketch.h"
#include "base/result.h"
#include "db/bank.h"
#include "miner/id_numbers.h"

namespace qdedup::iteration {

// The sketches of some questions of the bank. At most 37 bytes for each of them.
class SketchTable {
 public:
  static constexpr std::size_t bytes_per_id = 37;

  // Reads the sketches of `ids`, whose numbers are given; one pass over the sketches of the bank.
  static Result<SketchTable> read(db::Bank& bank, miner::IdNumbers ids);

  // For each of `ids`, which are among those that were read: its sketch; none where it has no text in the
  // bank. May be called by several threads at once.
  [[nodiscard]] std::vector<std::optional<QuestionSketch>> of(std::span<const QuestionId> ids) const;

 private:
  explicit SketchTable(miner::IdNumbers ids)
      : ids_(std::move(ids)), sketches_(ids_.size()), has_text_(ids_.size()) {}

  miner::IdNumbers ids_;
  std::vector<QuestionSketch> sketches_;  // by number
  std::vector<bool> has_text_;            // by number
};

}  // namespace qdedup::iteration
