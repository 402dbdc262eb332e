// Numbering ids and joining them, beside accesses to memory at random. Time per join (or access); the
// argument is the number of distinct ids in thousands.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/random_stream.h"
#include "bench/report_each.h"
#include "bench/sample.h"
#include "miner/clusters.h"
#include "miner/id_numbers.h"
#include "miner/numbered_lists.h"

namespace qdedup::bench {
namespace {

constexpr std::size_t accesses = 1U << 20U;

std::size_t distinct_ids(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0)) * 1000;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1000)->Arg(10'000)->Arg(50'000)->Unit(benchmark::kMillisecond);
}

void random_access(benchmark::State& state) {
  std::vector<std::uint32_t> cells(distinct_ids(state));
  RandomStream random(1, RandomStream::Purpose::results, 0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < accesses; ++i) ++cells[random.below(cells.size())];
    benchmark::ClobberMemory();
  }
  report_each(state, accesses);
}
BENCHMARK(random_access)->Apply(sizes);

void dependent_access(benchmark::State& state) {
  std::vector<std::uint32_t> next(distinct_ids(state));
  std::iota(next.begin(), next.end(), 0U);
  RandomStream random(1, RandomStream::Purpose::results, 0);
  for (std::size_t i = next.size(); i > 1; --i)
    std::swap(next[i - 1], next[random.below(i - 1)]);  // one cycle
  std::uint32_t at = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < accesses; ++i) at = next[at];
    benchmark::DoNotOptimize(at);
  }
  report_each(state, accesses);
}
BENCHMARK(dependent_access)->Apply(sizes);

// The members of lists with ids, in the order in which they are merged.
struct Sample {
  miner::SeedLists lists;
  std::size_t joins = 0;
};

Sample sample(const benchmark::State& state) {
  Sample sample{sample_lists(distinct_ids(state))};
  for (std::size_t i = 0; i < sample.lists.size(); ++i) sample.joins += sample.lists.ids(i).size() - 1;
  return sample;
}

void number(benchmark::State& state) {
  const Sample given = sample(state);
  for (auto _ : state) {
    miner::IdNumbers numbers({.added = given.lists.all_ids().size()});
    numbers.add(given.lists.all_ids());
    numbers.number_ids();
    std::vector<std::uint32_t> members(given.lists.all_ids().size());
    numbers.numbers_of(given.lists.all_ids(), members);
    benchmark::DoNotOptimize(members.data());
  }
  report_each(state, given.joins);
}
BENCHMARK(number)->Apply(sizes);

void merge(benchmark::State& state) {
  const Sample given = sample(state);
  for (auto _ : state) benchmark::DoNotOptimize(miner::merge(given.lists, {}).size());
  report_each(state, given.joins);
}
BENCHMARK(merge)->Apply(sizes);

void canonical_order(benchmark::State& state) {
  const Sample given = sample(state);
  miner::IdNumbers numbers({.added = given.lists.all_ids().size()});
  numbers.add(given.lists.all_ids());
  numbers.number_ids();
  miner::NumberedLists lists;
  lists.append(given.lists, numbers);
  for (auto _ : state) benchmark::DoNotOptimize(miner::canonical_order(lists).size());
  report_each(state, given.joins);
}
BENCHMARK(canonical_order)->Apply(sizes);

void number_with_unordered_map(benchmark::State& state) {
  const Sample given = sample(state);
  for (auto _ : state) {
    std::unordered_map<QuestionId, std::uint32_t> index;
    for (std::size_t i = 0; i < given.lists.size(); ++i) {
      for (const QuestionId id : given.lists.ids(i)) index.try_emplace(id, index.size());
    }
    benchmark::DoNotOptimize(index.size());
  }
  report_each(state, given.joins);
}
BENCHMARK(number_with_unordered_map)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
