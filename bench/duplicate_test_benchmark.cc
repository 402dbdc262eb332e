// The duplicate test on pairs with equal signs from the same clusters: duplicates and others.

#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/report_each.h"
#include "bench/sample.h"
#include "refine/duplicate_test.h"
#include "tests/reference/text_distance.h"

namespace qdedup::bench {
namespace {

using refine::Comparand;
using Pairs = std::vector<std::pair<Comparand, Comparand>>;

template <class Work>
void each_pair(benchmark::State& state, const Pairs& pairs, const Work& work) {
  for (auto _ : state) {
    for (const auto& [a, b] : pairs) benchmark::DoNotOptimize(work(a, b));
  }
  report_each(state, pairs.size());
}

bool fast(const Comparand& a, const Comparand& b) { return refine::compare(a, b, {}).duplicate; }

void duplicates(benchmark::State& state) { each_pair(state, sample_pairs().duplicates, fast); }
BENCHMARK(duplicates);

void others(benchmark::State& state) { each_pair(state, sample_pairs().others, fast); }
BENCHMARK(others);

bool without_bag(const Comparand& a, const Comparand& b) {
  return refine::compare(a.parts, b.parts, {}).duplicate;
}

void duplicates_without_bag(benchmark::State& state) {
  each_pair(state, sample_pairs().duplicates, without_bag);
}
BENCHMARK(duplicates_without_bag);

void others_without_bag(benchmark::State& state) { each_pair(state, sample_pairs().others, without_bag); }
BENCHMARK(others_without_bag);

std::size_t slow(const Comparand& a, const Comparand& b) {
  return reference::levenshtein_distance(a.parts.han, b.parts.han);
}

void duplicates_slowly(benchmark::State& state) { each_pair(state, sample_pairs().duplicates, slow); }
BENCHMARK(duplicates_slowly);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
