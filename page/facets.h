#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "db/deletions.h"

namespace qdedup::page {

// How many deletions there are of each kind that one could filter for. In each facet count those that pass
// the rest of the filter, so that one sees what another choice would give.
struct Facets {
  std::uint64_t total = 0;  // that pass the whole filter
  std::map<std::int64_t, std::uint64_t> iterations;
  std::map<std::string, std::uint64_t> confidences;
  std::map<std::string, std::uint64_t> reasons;   // "polarity"; a deletion with two reasons counts for both
  std::map<std::string, std::uint64_t> subjects;  // "polarity:多/少"
  std::array<std::uint64_t, 101> similarity{};    // by whole percent
};

// Sums up what Deletions::tallies() gave for the filter's statuses. Linear.
Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter);

}  // namespace qdedup::page
