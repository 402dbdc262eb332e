#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/question_id.h"
#include "miner/id_bitmap.h"
#include "miner/id_index.h"

namespace qdedup::miner {

// Numbers distinct ids 0, 1, 2, … in ascending order, once all are known. Ids that are dense stand in a
// bitmap, others in a hash table.
class IdNumbers {
 public:
  // `occurrences` is about how many ids will be added, repeated ones included: ids count as dense in a range
  // of 64 times that number, at most 2^32, so that they take at most 12 bytes for each id added. With spare
  // bytes of memory, the range is as much larger as they allow.
  explicit IdNumbers(std::uint64_t occurrences, std::uint64_t spare_bytes = 0)
      : occurrences_(std::max(occurrences, spare_bytes / 12)) {}

  // Adds ids, until number_ids() is called. The range of dense ids begins with the smallest of the first
  // call: best when these are many.
  void add(std::span<const QuestionId> ids);

  // Gives the ids their numbers. At most 2^32-2 of them. n log n in the sparse ids.
  void number_ids();

  [[nodiscard]] std::size_t size() const { return dense_size_ + sparse_.size(); }

  // Of memory, about.
  [[nodiscard]] std::uint64_t bytes() const;

  // The smallest and the greatest id; there is one at least.
  [[nodiscard]] std::pair<QuestionId, QuestionId> range() const { return {least_, greatest_}; }

  // The numbers of ids that were added; `numbers` is as long as `ids`. Constant time each.
  void numbers_of(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const;

  // The same for any ids; `none` for those that were not added.
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  void find(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const;

  // Calls take(id) for each id, ascending: the one numbered 0 first.
  template <class Take>
  void for_each(const Take& take) const {
    const std::span<const QuestionId> sparse(sparse_.ids());
    for (const QuestionId id : sparse.first(below_)) take(id);
    if (dense_) dense_->for_each(take);
    for (const QuestionId id : sparse.subspan(below_)) take(id);
  }

 private:
  [[nodiscard]] bool is_dense(QuestionId id) const { return dense_ && dense_->covers(id); }
  [[nodiscard]] bool holds(QuestionId id) const {
    return is_dense(id) ? dense_->holds(id) : sparse_.holds(id);
  }
  void expect(QuestionId id) const { is_dense(id) ? dense_->expect(id) : sparse_.expect(id); }
  void expect_soon(QuestionId id) const {
    if (!is_dense(id)) sparse_.expect_soon(id);
  }
  [[nodiscard]] std::uint32_t number_of(QuestionId id) const;

  // numbers[i] becomes number(ids[i]), with several accesses to memory under way at once.
  template <class Number>
  void each_number(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers,
                   const Number& number) const;

  std::uint64_t occurrences_;
  QuestionId least_ = max_question_id;
  QuestionId greatest_ = 0;
  std::optional<IdBitmap> dense_;  // from the first ids on
  IdIndex sparse_;
  std::size_t dense_size_ = 0;
  std::size_t below_ = 0;  // how many sparse ids are smaller than the dense ones
};

}  // namespace qdedup::miner
