#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "page/request.h"

// What the routes of the review page reply. Those that take a writer are to be called by the one that
// changes deletions, and by nobody else meanwhile.
namespace qdedup::page {

// GET /api/review/queue?order=…&after=…&limit=…: the deletions that pass the filter, in this order
// (db::QueueOrder): {"groups":[{"keeper":{…},"members":[{…}]}],"next":"KEY-KEEPER-QUESTION" or null}. Each
// member has its `place`, as such a text. A group has the members that follow each other, so with the order
// by risk a keeper may have several. One that does not fit goes on in the next page. `limit` (1 to 200, 40)
// counts members. With at=KEY-KEEPER-QUESTION in place of `after`, the page begins with the group of that
// place; `before` is then the number of deletions before the page, and `at` how many of the page precede the
// place.
Reply queue_reply(Reading& reading, const Parameters& parameters);

// GET /api/review/facets: {"total":N,"iteration":[[value,count],…],"confidence":…,"reason":…,"subject":…,
// "similarity":…}; reasons and subjects the most frequent first, at most 40 of each.
Reply facets_reply(Reading& reading, const Parameters& parameters);

// How many deletions there are of each kind that one could filter for. In each facet count those that pass
// the rest of the filter, so that one sees what another choice would give.
struct Facets {
  std::uint64_t total = 0;  // that pass the whole filter
  std::map<std::int64_t, std::uint64_t> iterations;
  std::map<refine::Confidence, std::uint64_t> confidences;
  std::map<std::string, std::uint64_t> reasons;   // "polarity"; a deletion with two reasons counts for both
  std::map<std::string, std::uint64_t> subjects;  // "polarity:多/少"
  std::map<int, std::uint64_t> similarity;        // by whole percent
};

// Sums up what Deletions::tallies() gave for the filter's statuses. Linear.
Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter);

// GET /api/review/search?text=…: listed pairs of any status, by the id of one of the two questions, or by
// words that all are in one of their texts, the newest first:
// {"pairs":[{"id","keeper","iteration","status","text"}], "looked":N,"next":M or null}. At a
// time at most 500 by an id; by words 20, from at most 5,000 pairs that are looked at: before=M goes on.
Reply search_reply(Reading& reading, const Parameters& parameters);

// GET /api/review/own-counts?today=TIME&hour=TIME: how many deletions `decider` decided one by one since
// these moments: {"today":N,"hour":M}.
Reply own_counts_reply(Reading& reading, const Parameters& parameters, const db::Decider& decider);

// GET /api/review/evidence?question=…&keeper=…: in how many result lists the two stood together, as far as
// lists are still kept, and at most the newest 16 MiB of them: {"lists":N,"best":0.93 or null,"looked":M}.
// `best` is the best score at the head of such a list, `looked` the number of lists looked at.
Reply evidence_reply(Reading& reading, const Parameters& parameters);

// POST /api/review/decisions with
//   {"decisions":[{"iteration":3,"question":"9","keeper":"2","texts":"…","decision":"approve","seen":"pending",
//   "note":"","key":"…"}]}
// where `seen` is the status that the reviewer saw, and `texts` what the queue gave with the two texts: so a
// decision that waited in the browser changes nothing in another state. At most 500, of different deletions.
// Each is taken or refused by itself: {"results":[{"code":200,"status":"approved"}, …]}. A deletion that has
// changed has code 409, its status, keeper, decided_by, given_name and decided_at, and `reason` in words; one
// that is not known 404. `key`, of at most 64 bytes, is the page's own for each decision: it comes again with
// the decision where the reply was lost, and what is stored already is 200, whatever became of the deletion
// since.
Reply take_decisions(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                     const db::Decider& decider);

// GET /api/review/batch: how many pending deletions pass the filter, how many of these are doubtful, and the
// riskiest of them, at most `limit`=1…50 (20), fewer where they are very long: {"count":N,"doubtful":M,
// "seen":"…","riskiest":[{"keeper":{…},"question":{…}}]}. `seen` stands for exactly these deletions, with
// their keepers, texts, confidences and risks (a hash). Nothing changes.
Reply preview_batch(Reading& reading, const Parameters& parameters);

// POST /api/review/batch with {"filter":{"confidence":"safe",…},"count":N,"seen":"…","note":""}: approves all
// pending deletions that pass the filter, if they are still those of the look with this count and `seen`:
// {"approved":N,"refused":{"reason":count}}. Otherwise 409 with {"error":…,"count":now}, and nothing is
// changed. `on_activity` is told of what is read, as it may take a minute.
Reply approve_batch(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                    const db::Decider& decider, const db::OnActivity& on_activity);

// GET /api/review/dashboard: how the weeks went, the newest 26 iterations, oldest first:
//   {"questions":N, "coverage":{"iteration":7,"share":0.3} or null, "waiting_lists":N,
//    "learn":{"decisions":N,"would_help":false},
//    "iterations":[{id, kind, finished_at, withheld, lists, clusters, deletions,
//                   "statuses":{"pending":N,…}, "confidences":{"safe":N,…}}],
//    "reasons":[{"reason":"polarity","decided":N,"rejected":N,"share":0.3,"low":0.2,"high":0.5}],
//    "reviewers":[{"name":"ann (as token)","approved":N,"rejected":N,"last_at":"…","judged":N,
//                  "agreement":{"compared":N,"agreed":N,"share":0.9,"low":0.8,"high":0.95}}]}
// `coverage` is the share of the bank's questions that the lists of the last of these on logs named.
// Deletions without a reason are under "safe"; `decided` are those of these iterations that people approved
// (applied or not) or rejected. Reviewers are those who decided one by one, or judged blind; `compared` are
// the pairs that they judged blind and somebody else decided. Intervals are Wilson's, of 95 %. `learn` counts
// what was decided one by one since weights were last learned.
Reply dashboard_reply(Reading& reading);

// GET /api/review/samples: {"samples":[{id, drawn_at, drawn_by, population, size, same, different, precision,
// low, high}]}, the newest first; the interval is Wilson's, of 95 %.
Reply samples_reply(Reading& reading);

// GET /api/review/sample?id=N&from=POSITION: {"pairs":[{position, judgement, judged_by, keeper, question}]},
// all of them. Keeper and question come with those from that position on (the first that nobody judged), with
// as many as an answer has room for. Status, confidence and reasons of the deletions are left out.
Reply sample_reply(Reading& reading, const Parameters& parameters);

// POST /api/review/samples with {"size":100,"iteration":3}, `iteration` or all: draws that many (1 to 1,000)
// of the safe deletions that were not withdrawn. {"id":N,"size":M}; 404 when there are none. `on_activity` is
// told of what is read, as that may take a minute.
Reply draw_sample(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                  const db::Decider& decider, std::uint64_t seed, const db::OnActivity& on_activity);

// POST /api/review/judgements with {"sample":1,"position":5,"judgement":"same"}, "different", or "" to take
// it back. 409 when somebody else judged that pair, 404 when there is no such pair or sample.
Reply judge(std::string_view body, db::StoreWriter& writer, const db::Decider& decider);

// `size` of `ids` (or all, if there are fewer), in random order, each choice equally likely. The same for the
// same seed. Linear.
std::vector<std::int64_t> draw(std::vector<std::int64_t> ids, std::size_t size, std::uint64_t seed);

}  // namespace qdedup::page
