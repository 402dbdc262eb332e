// Normalising and splitting questions, beside copying and decoding them. Items are questions.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/report_each.h"
#include "bench/sample.h"
#include "refine/normal_forms.h"
#include "refine/normalise.h"
#include "refine/parts.h"
#include "refine/unicode.h"

namespace qdedup::bench {
namespace {

// Questions of 113 bytes on average: those that are shorter than twice that by a little.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> chosen = [] {
    constexpr std::size_t longest = 175;
    std::vector<std::string> short_texts;
    for (const std::string& text : sample_texts()) {
      if (text.size() <= longest) short_texts.push_back(text);
    }
    return short_texts;
  }();
  return chosen;
}

template <class Work>
void each_text(benchmark::State& state, const Work& work) {
  std::size_t bytes = 0;
  for (const std::string& text : texts()) bytes += text.size();
  for (auto _ : state) {
    for (const std::string& text : texts()) benchmark::DoNotOptimize(work(text));
  }
  report_each(state, texts().size());
  state.counters["bytes"] = static_cast<double>(bytes) / static_cast<double>(texts().size());
}

void copy_text(benchmark::State& state) {
  each_text(state, [](std::string_view text) { return std::string(text); });
}
BENCHMARK(copy_text)->Unit(benchmark::kMillisecond);

void decode(benchmark::State& state) {
  each_text(state, [](std::string_view text) { return refine::to_utf32(text); });
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

void normalise(benchmark::State& state) {
  each_text(state, [](std::string_view text) { return refine::normalise(text); });
}
BENCHMARK(normalise)->Unit(benchmark::kMillisecond);

void parts_of(benchmark::State& state) {
  each_text(state, [](std::string_view text) { return refine::parts_of(text); });
}
BENCHMARK(parts_of)->Unit(benchmark::kMillisecond);

void all_through_icu(benchmark::State& state) {
  each_text(state, [](std::string_view text) {
    return refine::split(refine::icu_normalise(refine::to_utf32(text)));
  });
}
BENCHMARK(all_through_icu)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
