#include "iteration/sketch_table.h"

#include <cstddef>
#include <utility>

#include "db/sketches.h"

namespace qdedup::iteration {

Result<SketchTable> SketchTable::read(db::Bank& bank, miner::IdNumbers ids) {
  SketchTable table(std::move(ids));
  if (table.sketches_.empty()) return table;
  const auto [first, last] = table.ids_.range();
  std::vector<QuestionId> run_ids;
  std::vector<std::uint32_t> numbers;
  const Status read = db::Sketches(bank).for_each_run(first, last, [&](std::span<const db::SketchEntry> run) {
    run_ids.clear();
    for (const db::SketchEntry& entry : run) run_ids.push_back(entry.id);
    numbers.resize(run.size());
    table.ids_.find(run_ids, numbers);
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (numbers[i] == miner::IdNumbers::none) continue;
      table.sketches_[numbers[i]] = run[i].sketch.value_or(QuestionSketch());
      table.has_text_[numbers[i]] = run[i].sketch.has_value();
    }
  });
  if (!read.ok()) return read.error();
  return table;
}

std::vector<std::optional<QuestionSketch>> SketchTable::of(std::span<const QuestionId> ids) const {
  std::vector<std::uint32_t> numbers(ids.size());
  ids_.numbers_of(ids, numbers);
  for (const std::uint32_t number : numbers) __builtin_prefetch(&sketches_[number]);
  std::vector<std::optional<QuestionSketch>> sketches(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (has_text_[numbers[i]]) sketches[i] = sketches_[numbers[i]];
  }
  return sketches;
}

}  // namespace qdedup::iteration
