#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "engine/in_memory.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

// Divides a sweep into buckets that can be decided by themselves, as no duplicates are in two of them. Those
// of equal signs are one, unless they are too many for one task: then they are compared in blocks, two at a
// time, and what is connected comes together.
namespace qdedup::spark {

struct LengthCount {
  std::size_t length;  // of the Han part or what is compared in its place, in code points
  std::uint64_t questions;
};

struct BlockPlan {
  // Questions of a length go to these blocks, evenly.
  struct Share {
    std::size_t length;
    std::int64_t first;
    std::int64_t count;
  };
  std::vector<Share> shares;  // by length
  std::vector<std::pair<std::int64_t, std::int64_t>>
      pairs;  // of blocks with possible duplicates, or one twice
};

// Blocks of about `questions_per_block` questions with equal signs, by the lengths of their Han parts, which
// ascend.
BlockPlan plan_blocks(std::span<const LengthCount> lengths, std::size_t questions_per_block,
                      const refine::DuplicateSettings& settings);

struct BlockQuestion {
  QuestionId id = 0;
  std::int64_t block = 0;
  refine::Parts parts;  // refine::compared_parts
};

// Connects what the duplicates among the questions of one block connect, or those with one question in each
// of two blocks (equal texts of one block may be missing then). At most one edge fewer than questions.
std::vector<engine::CandidateEdge> duplicate_edges(std::span<const BlockQuestion> questions,
                                                   const refine::DuplicateSettings& settings);

// All questions that have an edge, with the number of their bucket, from 0: about `ids_at_once` in each, and
// all that are connected in one.
std::vector<std::pair<std::int64_t, QuestionId>> connected_buckets(
    std::span<const engine::CandidateEdge> edges, std::size_t ids_at_once);

}  // namespace qdedup::spark
