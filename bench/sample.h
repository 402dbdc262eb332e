#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "miner/seed_lists.h"
#include "refine/duplicate_test.h"

namespace qdedup::bench {

// What the benchmarks work on: the files bank.jsonl and search-1.log of the folder that QDEDUP_BENCH_DATA
// names (as make_week writes them, or real ones), or else what make_week would write. Stops the program where
// they cannot be read.

// Lines of a log, some megabytes, each with its newline.
const std::string& sample_log();

// Texts of a bank.
const std::vector<std::string>& sample_texts();

// Pairs of questions with equal signs in the clusters that the log gives at the default settings.
struct SamplePairs {
  std::vector<std::pair<refine::Comparand, refine::Comparand>> duplicates;
  std::vector<std::pair<refine::Comparand, refine::Comparand>> others;
};
const SamplePairs& sample_pairs();

// Selected lists over `distinct` ids or some more.
miner::SeedLists sample_lists(std::size_t distinct);

}  // namespace qdedup::bench
