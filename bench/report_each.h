#pragma once

#include <cstddef>

#include <benchmark/benchmark.h>

namespace qdedup::bench {

// Reports the seconds for one of the `count` things that one iteration does.
inline void report_each(benchmark::State& state, std::size_t count) {
  state.counters["each"] =
      benchmark::Counter(static_cast<double>(count),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace qdedup::bench
