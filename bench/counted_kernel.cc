// Runs one kernel once on the sample: counted_kernel mine_block|parts_of|compare. For counting instructions,
// which do not depend on what else the machine does: see bench/instructions.

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "bench/sample.h"
#include "miner/log_block.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace {

using namespace qdedup;

std::size_t mine_block() {
  const auto parser = miner::LineParser::create({});
  miner::SeedLists lists;
  miner::LineCounts counts;
  miner::mine_block(bench::sample_log(), *parser, {}, lists, counts);
  return lists.size();
}

std::size_t parts_of() {
  std::size_t characters = 0;
  for (const std::string& text : bench::sample_texts()) characters += refine::parts_of(text).han.size();
  return characters;
}

std::size_t compare() {
  std::size_t duplicates = 0;
  for (const auto* pairs : {&bench::sample_pairs().duplicates, &bench::sample_pairs().others}) {
    for (const auto& [a, b] : *pairs) duplicates += refine::compare(a, b, {}).duplicate ? 1 : 0;
  }
  return duplicates;
}

}  // namespace

// What bench/instructions counts: named so that it is found in the program, whatever is inlined into it.
extern "C" __attribute__((noinline)) std::size_t counted(std::string_view kernel) {
  if (kernel == "mine_block") return mine_block();
  return kernel == "parts_of" ? parts_of() : compare();
}

int main(int argc, char** argv) {
  const std::string_view kernel = argc == 2 ? argv[1] : "";
  if (kernel != "mine_block" && kernel != "parts_of" && kernel != "compare") {
    std::fprintf(stderr, "usage: counted_kernel mine_block|parts_of|compare\n");
    return 64;
  }
  bench::sample_log();  // made before the counting begins, like the rest
  bench::sample_texts();
  if (kernel == "compare") bench::sample_pairs();
  refine::parts_of("小明，1");
  std::printf("%zu\n", counted(kernel));
}
