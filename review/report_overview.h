#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "db/iterations.h"
#include "review/deletion_list.h"
#include "review/html.h"

namespace qdedup::review {

// What a report contains besides the list itself. Names of settings, steps and counts are shown unchanged.
struct ReportHeader {
  db::IterationRecord iteration;
  bool draws = false;  // the bank's markup was read, so that texts are drawn
  // Name and value, in the order of the steps: ("min_top_score", "0.5"), …
  std::vector<std::pair<std::string, std::string>> settings;
  // The counts of each step in order, as step, name and value: ("mine", "lines", 60000), …,
  // ("refine", "deletions", 1591).
  struct Count {
    std::string step;
    std::string name;
    std::uint64_t value;
  };
  std::vector<Count> counts;
};

// Whether the iteration compared Han parts by an edit distance, and signs.
bool has_usual_rule(const ReportHeader& header);

// The part of a report before the pairs: the totals, the counts of each step, the settings and the
// histograms.
void append_overview(Html& html, const ReportHeader& header, const ListSummary& summary);

struct HistogramBar {
  std::string label;
  std::uint64_t count;

  friend bool operator==(const HistogramBar&, const HistogramBar&) = default;
};

// One bar for each whole percent, from the lowest that occurs to 100: "80", …, "100". No bars if nothing
// occurs.
std::vector<HistogramBar> similarity_bars(const std::array<std::uint64_t, 101>& counts);

// Clusters by size, in bins of increasing width: "1", "2", "3", "4", "5–9", "10–19", …, "100–199", "200 and
// more", from the first to the last that is not empty. `sizes` is the number of clusters of each size.
std::vector<HistogramBar> cluster_size_bars(const std::map<std::uint64_t, std::uint64_t>& sizes);

}  // namespace qdedup::review
