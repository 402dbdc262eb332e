#include "iteration/sketch_table.h"

#include <algorithm>
#include <atomic>

#include "db/bank_reading.h"
#include "db/sketches.h"

namespace qdedup::iteration {
namespace {

struct IdRange {
  QuestionId first;
  QuestionId last;
};

std::uint64_t entries_of(const std::vector<db::RunRange>& runs, const IdRange& range) {
  std::uint64_t entries = 0;
  for (const db::RunRange& run : runs) {
    if (run.last >= range.first && run.first <= range.last) entries += run.entries;
  }
  return entries;
}

// Splits the ids into at most `parts` ranges with about equally many entries of the runs; into a single range
// if many runs would have to be read for several ranges.
std::vector<IdRange> balanced_ranges(std::vector<db::RunRange> runs, const IdRange& all, unsigned parts) {
  std::ranges::sort(runs, {}, &db::RunRange::first);
  const std::uint64_t total = entries_of(runs, all);
  std::vector<IdRange> ranges = {all};
  std::uint64_t entries = 0;
  for (const db::RunRange& run : runs) {
    if (entries * parts >= total * ranges.size() && run.first > ranges.back().first &&
        run.first <= all.last) {
      ranges.back().last = run.first - 1;
      ranges.push_back({run.first, all.last});
    }
    if (run.last >= all.first && run.first <= all.last) entries += run.entries;
  }
  std::uint64_t to_read = 0;
  for (const IdRange& range : ranges) to_read += entries_of(runs, range);
  return to_read <= total + total / 2 ? ranges : std::vector{all};
}

}  // namespace

Result<SketchTable> SketchTable::read(db::Bank& bank, miner::IdNumbers ids, unsigned threads,
                                      const Progress& progress) {
  SketchTable table(std::move(ids));
  if (table.slots_.empty()) return table;
  const auto [first, last] = table.ids_.range();
  QDEDUP_ASSIGN_OR_RETURN(std::vector<db::RunRange> runs, db::Sketches(bank).runs(first, last));
  const std::uint64_t total = entries_of(runs, {first, last});
  const std::vector<IdRange> ranges =
      balanced_ranges(std::move(runs), {first, last}, std::min(threads, db::max_readers));
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> done{0};
  QDEDUP_TRY(db::with_readers(bank, static_cast<unsigned>(ranges.size()), [&](db::Bank& reader, bool tells) {
    const IdRange& range = ranges[next++];
    return db::Sketches(reader).for_each_run(range.first, range.last, [&](const db::SketchRun& run) {
      table.take(run, range.first, range.last);
      done += run.ids().size();
      if (tells) progress("sketches", std::min<std::uint64_t>(done, total), total, "questions");
    });
  }));
  return table;
}

// Other threads take other ids.
void SketchTable::take(const db::SketchRun& run, QuestionId first, QuestionId last) {
  const auto begin = static_cast<std::size_t>(std::ranges::lower_bound(run.ids(), first) - run.ids().begin());
  const auto end = static_cast<std::size_t>(std::ranges::upper_bound(run.ids(), last) - run.ids().begin());
  std::vector<std::uint32_t> numbers(end - begin);
  ids_.find(run.ids().subspan(begin, end - begin), numbers);
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t number = numbers[i - begin];
    if (number == miner::IdNumbers::none) continue;
    const std::optional<QuestionSketch> sketch = run.sketch(i);
    slots_[number] = sketch ? Slot{*sketch, true} : Slot();
  }
}

std::vector<std::optional<QuestionSketch>> SketchTable::of(std::span<const QuestionId> ids) const {
  std::vector<std::uint32_t> numbers(ids.size());
  ids_.numbers_of(ids, numbers);
  std::vector<std::optional<QuestionSketch>> sketches(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + miner::lookahead < ids.size()) __builtin_prefetch(&slots_[numbers[i + miner::lookahead]]);
    const Slot& slot = slots_[numbers[i]];
    if (slot.has_text) sketches[i] = slot;
  }
  return sketches;
}

}  // namespace qdedup::iteration
