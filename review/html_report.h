#pragma once

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "review/deletion_list.h"

namespace qdedup::review {

// What a report says beside the list itself. Names of settings, steps and counts are shown as they are.
struct ReportHeader {
  std::int64_t iteration = 0;
  std::string finished_at;  // "2026-11-20T03:00:12Z"
  std::string version;      // of the program
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
  std::map<std::uint64_t, std::uint64_t> cluster_sizes;  // size -> number of clusters of that size
};

// Writes a report that stands alone in one HTML file: no script is needed to read it, nothing is loaded from
// anywhere, and no text of a question can become markup. Counts of each step; histograms of similarity and of
// cluster size; each pair side by side with the differing characters marked. `entries` is run through twice:
// `restart` gives a fresh stream each time. At most `max_pairs` pairs are shown (histograms count all); the
// report says how many were left out.
// Fails with ErrorCode::io when `out` takes no more, and with whatever error a stream ends in.
Status write_html_report(const ReportHeader& header, const std::function<DeletionStream()>& restart,
                         std::uint64_t max_pairs, std::ostream& out);

}  // namespace qdedup::review
