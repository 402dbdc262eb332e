// Reading log lines, beside passing over the bytes and beside JSON libraries. Bytes per second of log.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "bench/sample.h"
#include "miner/log_block.h"

namespace qdedup::bench {
namespace {

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(sample_log().size()));
}

// Calls take(line) for each line of the sample.
template <class Take>
void each_line(const Take& take) {
  std::string_view rest = sample_log();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    take(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
}

void copy_bytes(benchmark::State& state) {
  std::string copy(sample_log().size(), '\0');
  for (auto _ : state) {
    std::memcpy(copy.data(), sample_log().data(), copy.size());
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}
BENCHMARK(copy_bytes);

void find_newlines(benchmark::State& state) {
  for (auto _ : state) {
    std::size_t lines = 0;
    each_line([&](std::string_view line) { lines += line.size() > 3 ? 1 : 0; });
    benchmark::DoNotOptimize(lines);
  }
  count_bytes(state);
}
BENCHMARK(find_newlines);

void mine_block(benchmark::State& state) {
  const auto parser = miner::LineParser::create({});
  miner::SeedLists lists;
  for (auto _ : state) {
    lists.clear();
    miner::LineCounts counts;
    miner::mine_block(sample_log(), *parser, {}, lists, counts);
    benchmark::DoNotOptimize(counts);
  }
  count_bytes(state);
}
BENCHMARK(mine_block);

void parse_lines(benchmark::State& state) {
  const auto parser = miner::LineParser::create({});
  std::vector<miner::ScoredId> pairs;
  for (auto _ : state) {
    std::size_t all = 0;
    each_line([&](std::string_view line) {
      if (!parser->parse(line, pairs)) all += pairs.size();
    });
    benchmark::DoNotOptimize(all);
  }
  count_bytes(state);
}
BENCHMARK(parse_lines);

// Ids and scores as simdjson's on-demand parser gives them.
template <class Document>
void take_pairs(Document& document, std::vector<miner::ScoredId>& pairs) {
  pairs.clear();
  for (auto element : document.get_array()) {
    miner::ScoredId pair{};
    std::size_t i = 0;
    for (auto value : element.get_array()) {
      if (i++ == 0) {
        pair.id = value.get_int64();
      } else {
        pair.score = value.get_double();
      }
    }
    pairs.push_back(pair);
  }
}

void simdjson_by_line(benchmark::State& state) {
  const simdjson::padded_string log(sample_log());
  simdjson::ondemand::parser parser;
  std::vector<miner::ScoredId> pairs;
  for (auto _ : state) {
    std::size_t all = 0;
    const char* at = log.data();
    const char* const end = at + log.size();
    while (at != end) {
      const auto* newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      const auto length = static_cast<std::size_t>(newline - at);
      auto document = parser.iterate(at, length, length + simdjson::SIMDJSON_PADDING).value();
      take_pairs(document, pairs);
      all += pairs.size();
      at = newline + 1;
    }
    benchmark::DoNotOptimize(all);
  }
  count_bytes(state);
}
BENCHMARK(simdjson_by_line);

void simdjson_iterate_many(benchmark::State& state) {
  const simdjson::padded_string log(sample_log());
  simdjson::ondemand::parser parser;
  std::vector<miner::ScoredId> pairs;
  for (auto _ : state) {
    std::size_t all = 0;
    auto documents = parser.iterate_many(log, std::size_t{1} << 20U).value();
    for (auto document : documents) {
      take_pairs(document, pairs);
      all += pairs.size();
    }
    benchmark::DoNotOptimize(all);
  }
  count_bytes(state);
}
BENCHMARK(simdjson_iterate_many);

void nlohmann_dom(benchmark::State& state) {
  for (auto _ : state) {
    std::size_t all = 0;
    each_line([&](std::string_view line) { all += nlohmann::json::parse(line).size(); });
    benchmark::DoNotOptimize(all);
  }
  count_bytes(state);
}
BENCHMARK(nlohmann_dom);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
