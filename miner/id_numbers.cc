#include "miner/id_numbers.h"

#include <algorithm>
#include <vector>

#include "miner/lookahead.h"

namespace qdedup::miner {
namespace {

constexpr std::uint64_t dense_ids_per_occurrence = 64;
constexpr std::uint64_t most_dense_ids = std::uint64_t{1} << 32U;  // 0.8 GB where they lie everywhere

}  // namespace

// Dense ids mostly stand together, as either nearly all are dense or none.
void IdNumbers::add(std::span<const QuestionId> ids) {
  for (const QuestionId id : ids) {
    least_ = std::min(least_, id);
    greatest_ = std::max(greatest_, id);
  }
  if (!dense_ && !ids.empty()) {
    const std::uint64_t range = std::min(occurrences_, most_dense_ids / dense_ids_per_occurrence);
    dense_.emplace(std::ranges::min(ids), range * dense_ids_per_occurrence);
  }
  while (!ids.empty()) {
    const bool dense = is_dense(ids.front());
    const auto end = std::ranges::find_if(ids, [&](QuestionId id) { return is_dense(id) != dense; });
    const auto run = ids.first(static_cast<std::size_t>(end - ids.begin()));
    if (dense) {
      dense_->add(run);
    } else {
      sparse_.insert_all(run);
    }
    ids = ids.subspan(run.size());
  }
}

void IdNumbers::number_ids() {
  if (!dense_) return;
  dense_->number_ids();
  dense_size_ = dense_->size();
  sparse_.number_by_id();
  const std::vector<QuestionId>& sparse = sparse_.ids();
  below_ = static_cast<std::size_t>(std::ranges::lower_bound(sparse, dense_->first()) - sparse.begin());
}

std::uint64_t IdNumbers::bytes() const {
  const std::uint64_t dense = dense_ ? dense_->bytes() : 0;
  return dense + sparse_.bytes();
}

std::uint32_t IdNumbers::number_of(QuestionId id) const {
  if (is_dense(id)) return static_cast<std::uint32_t>(below_) + dense_->number_of(id);
  const std::uint32_t number = sparse_.number_of(id);
  return number < below_ ? number : static_cast<std::uint32_t>(dense_size_) + number;
}

template <class Number>
void IdNumbers::each_number(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers,
                            const Number& number) const {
  for (std::size_t i = 0; i < std::min(lookahead, ids.size()); ++i) expect(ids[i]);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + lookahead < ids.size()) expect(ids[i + lookahead]);
    if (i + lookahead / 2 < ids.size()) expect_soon(ids[i + lookahead / 2]);
    numbers[i] = number(ids[i]);
  }
}

void IdNumbers::numbers_of(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const {
  each_number(ids, numbers, [this](QuestionId id) { return number_of(id); });
}

void IdNumbers::find(std::span<const QuestionId> ids, std::span<std::uint32_t> numbers) const {
  each_number(ids, numbers, [this](QuestionId id) { return holds(id) ? number_of(id) : none; });
}

}  // namespace qdedup::miner
