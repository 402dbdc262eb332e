#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/question_id.h"

// A merge in bands: consecutive stretches of the lists in canonical order, each merged by one task that knows
// only the clusters so far that the lists of its band name. The result is that of miner::merge().
namespace qdedup::spark {

// A join of two clusters as they are before the band, each named by one of its ids.
struct BandJoin {
  std::uint64_t list;      // the place of the list in canonical order
  std::uint64_t position;  // of the id in it
  QuestionId a;
  QuestionId b;
  std::uint64_t a_size;
  std::uint64_t b_size;
};

struct BandCluster {
  QuestionId was;      // what named the cluster
  QuestionId is;       // what names the one that it is in now
  std::uint64_t size;  // of that one
};

// What became of the clusters that grew, by `was`. O(n log n).
std::vector<BandCluster> merge_band(std::vector<BandJoin> joins, std::size_t max_cluster_size);

}  // namespace qdedup::spark
