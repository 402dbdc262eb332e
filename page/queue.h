#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "db/deletions.h"
#include "page/request.h"

namespace qdedup::page {

// GET /api/review/queue?after=…&limit=…: the deletions that pass the filter, by keeper:
// {"groups":[{"keeper":{…},"members":[{…}]}],"next":"KEEPER-QUESTION" or null}. A group that does not fit
// goes on in the next page. `limit` (1 to 200, 40) counts members.
Answer queue_answer(Reading& reading, const Parameters& parameters);

// GET /api/review/facets: {"total":N,"iteration":[[value,count],…],"confidence":…,"reason":…,"subject":…,
// "similarity":…}; reasons and subjects the most frequent first, at most 40 of each.
Answer facets_answer(Reading& reading, const Parameters& parameters);

// How many deletions there are of each kind that one could filter for. In each facet count those that pass
// the rest of the filter, so that one sees what another choice would give.
struct Facets {
  std::uint64_t total = 0;  // that pass the whole filter
  std::map<std::int64_t, std::uint64_t> iterations;
  std::map<refine::Confidence, std::uint64_t> confidences;
  std::map<std::string, std::uint64_t> reasons;   // "polarity"; a deletion with two reasons counts for both
  std::map<std::string, std::uint64_t> subjects;  // "polarity:多/少"
  std::array<std::uint64_t, 101> similarity{};    // by whole percent
};

// Sums up what Deletions::tallies() gave for the filter's statuses. Linear.
Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter);

// GET /api/review/evidence?question=…&keeper=…: in how many result lists the two stood together, as far as
// lists are still kept, and at most the newest 16 MiB of them: {"lists":N,"best":0.93 or null,"looked":M}.
// `best` is the best score at the head of such a list, `looked` the number of lists looked at.
Answer evidence_answer(Reading& reading, const Parameters& parameters);

}  // namespace qdedup::page
