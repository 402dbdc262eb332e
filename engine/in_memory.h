#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "engine/decide.h"
#include "engine/past.h"
#include "engine/sign_groups.h"
#include "miner/numbered_lists.h"
#include "refine/contrast.h"
#include "refine/keepers.h"

// All the way from candidates to rows, with all texts in memory: for callers that have no bank. Rows are
// sorted, and do not depend on the resources.
namespace qdedup::engine {

// A question of the bank. A text that is empty, or longer than refine::max_compared_bytes, counts as none.
using IdentifiedText = std::pair<QuestionId, refine::QuestionText>;

// Two questions that may be duplicates of each other.
using CandidateEdge = std::pair<QuestionId, QuestionId>;

// What the edges connect. Ids ascend in each cluster.
std::vector<std::vector<QuestionId>> clusters_of(std::span<const CandidateEdge> edges);

// Decides clusters, in the order given, and then each reopened one of the past. Ids ascend in each cluster.
// `texts` ascend by id, and include at least the questions with text that the clusters and the past name.
// Quadratic in the questions of a cluster with equal signs.
refine::AnnotatedOutcome decide(std::span<const IdentifiedText> texts,
                                std::vector<std::vector<QuestionId>> clusters, const Past& past,
                                const Measure& measure, const miner::WorkShare& share = miner::one_by_one);

// Decides all of `texts`, which ascend by id, as if they were one cluster without a cap.
refine::AnnotatedOutcome sweep(std::span<const IdentifiedText> texts, const Past& past,
                               const Measure& measure, const GroupLimits& limits = {});

}  // namespace qdedup::engine
