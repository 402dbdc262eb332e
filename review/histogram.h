#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace qdedup::review {

struct HistogramBar {
  std::string label;
  std::uint64_t count;

  friend bool operator==(const HistogramBar&, const HistogramBar&) = default;
};

// One bar for each whole percent, from the lowest that occurs to 100: "80", …, "100". No bars when nothing
// occurs.
std::vector<HistogramBar> similarity_bars(const std::array<std::uint64_t, 101>& counts);

// Clusters by size, in bins that grow: "1", "2", "3", "4", "5–9", "10–19", …, "100–199", "200 and more", from
// the first to the last that is not empty. `sizes` says how many clusters there are of each size.
std::vector<HistogramBar> cluster_size_bars(const std::map<std::uint64_t, std::uint64_t>& sizes);

}  // namespace qdedup::review
