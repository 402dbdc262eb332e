#pragma once

#include <algorithm>
#include <cstdint>

#include "base/question_id.h"
#include "bench/permutation.h"
#include "bench/random_stream.h"

namespace qdedup::bench {

// The ids of the questions: spread from 1,000,000,000 on, in an order that has nothing to do with
// look-alikes.
class QuestionIds {
 public:
  QuestionIds(std::uint64_t questions, std::uint64_t seed)
      : seed_(seed), stride_(std::max<std::uint64_t>(span / questions, 1)), order_(questions, seed) {}

  [[nodiscard]] QuestionId id_of(std::uint64_t question) const { return id_at(order_(question)); }

  // Ids ascend with the position; the question is the one that has that id.
  [[nodiscard]] QuestionId id_at(std::uint64_t position) const {
    RandomStream random(seed_, RandomStream::Purpose::id, position);
    return static_cast<QuestionId>(lowest + position * stride_ + random.below(stride_));
  }
  [[nodiscard]] std::uint64_t question_at(std::uint64_t position) const { return order_.inverse(position); }

 private:
  static constexpr std::uint64_t lowest = 1'000'000'000;
  static constexpr std::uint64_t span = 1'100'000'000;

  std::uint64_t seed_;
  std::uint64_t stride_;
  Permutation order_;
};

}  // namespace qdedup::bench
