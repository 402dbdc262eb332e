// Looking up hashes that differ in few bits, beside scanning all of them and beside random memory accesses.
// Time per look-up (or access); the argument is the number of hashes in thousands. At 50 million:
// --benchmark_filter=/50000$

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/random_stream.h"
#include "bench/report_each.h"
#include "finder/hamming_index.h"

namespace qdedup::bench {
namespace {

constexpr std::size_t look_ups = 256;

std::vector<finder::HashRecord> records(const benchmark::State& state) {
  std::vector<finder::HashRecord> made;
  const auto count = static_cast<std::size_t>(state.range(0)) * 1000;
  made.reserve(count);
  RandomStream random(1, RandomStream::Purpose::results, 0);
  for (std::size_t i = 0; i < count; ++i) made.push_back({random.bits(), i + 1});
  return made;
}

// Half of them are near one that is there.
std::vector<std::uint64_t> asked(std::span<const finder::HashRecord> made) {
  std::vector<std::uint64_t> hashes;
  RandomStream random(2, RandomStream::Purpose::results, 0);
  for (std::size_t i = 0; i < look_ups; ++i)
    hashes.push_back(i % 2 == 0 ? random.bits() : made[random.below(made.size())].hash ^ 0x10001U);
  return hashes;
}

void look_up(benchmark::State& state, unsigned distance) {
  std::vector<finder::HashRecord> made = records(state);
  const std::vector<std::uint64_t> hashes = asked(made);
  const auto plan = finder::HammingPlan::of(distance, made.size());
  const finder::HammingIndex index(plan, std::move(made));
  std::size_t candidates = 0;
  std::size_t found = 0;
  for (auto _ : state) {
    candidates = found = 0;
    for (const std::uint64_t hash : hashes)
      candidates += index.find(hash, [&](const finder::HashRecord&) { ++found; });
    benchmark::DoNotOptimize(found);
  }
  report_each(state, look_ups);
  state.counters["tables"] = plan.tables();
  state.counters["candidates"] = static_cast<double>(candidates) / look_ups;
  state.counters["found"] = static_cast<double>(found) / look_ups;
}

void look_up_3(benchmark::State& state) { look_up(state, 3); }
BENCHMARK(look_up_3)->Arg(1000)->Arg(10'000)->Arg(50'000);
void look_up_6(benchmark::State& state) { look_up(state, 6); }
BENCHMARK(look_up_6)->Arg(1000)->Arg(10'000)->Arg(50'000);
void look_up_10(benchmark::State& state) { look_up(state, 10); }
BENCHMARK(look_up_10)->Arg(10'000);

void scan(benchmark::State& state) {
  const std::vector<finder::HashRecord> made = records(state);
  const std::uint64_t hash = asked(made).front();
  for (auto _ : state) {
    std::size_t found = 0;
    for (const finder::HashRecord& record : made) found += std::popcount(record.hash ^ hash) <= 3 ? 1U : 0U;
    benchmark::DoNotOptimize(found);
  }
  report_each(state, 1);
}
BENCHMARK(scan)->Arg(1000)->Arg(10'000);

void random_access(benchmark::State& state) {
  const std::vector<finder::HashRecord> made = records(state);
  RandomStream random(3, RandomStream::Purpose::results, 0);
  std::vector<std::uint32_t> places(1U << 16U);
  for (std::uint32_t& place : places) place = static_cast<std::uint32_t>(random.below(made.size()));
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const std::uint32_t place : places) sum += made[place].hash;
    benchmark::DoNotOptimize(sum);
  }
  report_each(state, places.size());
}
BENCHMARK(random_access)->Arg(1000)->Arg(10'000);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
