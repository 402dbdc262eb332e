#include "spark/sweep.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>

#include "finder/compact_text_store.h"
#include "finder/exact_index.h"
#include "miner/union_find.h"
#include "refine/duplicate_test.h"

namespace qdedup::spark {
namespace {

// Compares questions with equal signs, of one block or of two.
class BlockComparison {
 public:
  BlockComparison(std::span<const BlockQuestion> questions, const refine::DuplicateSettings& settings)
      : questions_(questions),
        settings_(settings),
        is_one_block_(std::ranges::all_of(
            questions, [&](const BlockQuestion& each) { return each.block == questions.front().block; })),
        together_(questions.size(), questions.size() + 1) {}

  // `alike`: positions of questions with equal signs, by block, then Han part.
  void compare(std::span<const std::uint32_t> alike) {
    finder::CompactTextStore texts;
    std::vector<std::uint32_t> distinct;  // positions, by number in `texts`
    for (const std::uint32_t place : alike) {
      const BlockQuestion& question = questions_[place];
      const BlockQuestion* const last = distinct.empty() ? nullptr : &questions_[distinct.back()];
      if (last == nullptr || last->block != question.block || last->parts.han != question.parts.han) {
        texts.add(question.parts.han);
        distinct.push_back(place);
      } else if (is_one_block_) {
        connect(distinct.back(), place);
      }
    }
    compare(texts, distinct);
  }

  [[nodiscard]] std::vector<engine::CandidateEdge> edges() && { return std::move(edges_); }

 private:
  void compare(const finder::CompactTextStore& texts, std::span<const std::uint32_t> distinct) {
    std::vector<std::uint32_t> numbers(distinct.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    const std::int64_t indexed_block = questions_[distinct.front()].block;
    finder::ExactIndex index(texts, settings_, numbers);
    finder::ExactIndex::Scratch scratch;
    for (const std::uint32_t number : numbers) {
      const BlockQuestion& question = questions_[distinct[number]];
      const bool is_indexed = question.block == indexed_block;
      if (is_one_block_ || !is_indexed) {
        for (const std::uint32_t other : index.find_all(question.parts.han, scratch))
          connect(distinct[other], distinct[number]);
      }
      if (is_indexed) index.add(number);
    }
  }

  void connect(std::uint32_t a, std::uint32_t b) {
    if (together_.join(a, b) == miner::SizeCappedUnionFind::Join::joined)
      edges_.emplace_back(questions_[a].id, questions_[b].id);
  }

  std::span<const BlockQuestion> questions_;
  refine::DuplicateSettings settings_;
  bool is_one_block_;
  miner::SizeCappedUnionFind together_;
  std::vector<engine::CandidateEdge> edges_;
};

}  // namespace

BlockPlan plan_blocks(std::span<const LengthCount> lengths, std::size_t questions_per_block,
                      const refine::DuplicateSettings& settings) {
  struct Block {
    std::size_t shortest;
    std::size_t longest;
  };
  BlockPlan plan;
  std::vector<Block> blocks;
  std::uint64_t in_last = questions_per_block;
  for (const auto& [length, questions] : lengths) {
    if (in_last + questions <= questions_per_block) {
      in_last += questions;
      blocks.back().longest = length;
      plan.shares.push_back({length, static_cast<std::int64_t>(blocks.size()) - 1, 1});
      continue;
    }
    const std::uint64_t count = (questions + questions_per_block - 1) / questions_per_block;
    plan.shares.push_back(
        {length, static_cast<std::int64_t>(blocks.size()), static_cast<std::int64_t>(count)});
    blocks.insert(blocks.end(), count, {length, length});
    in_last = count == 1 ? questions : questions_per_block;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t longest = refine::set_measure(settings.similarity)
                                    ? std::numeric_limits<std::size_t>::max()
                                    : refine::similar_lengths(blocks[i].longest, settings.min_similarity).max;
    for (std::size_t j = i; j < blocks.size() && blocks[j].shortest <= longest; ++j)
      plan.pairs.emplace_back(i, j);
  }
  return plan;
}

std::vector<engine::CandidateEdge> duplicate_edges(std::span<const BlockQuestion> questions,
                                                   const refine::DuplicateSettings& settings) {
  std::vector<std::uint32_t> order(questions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t place) {
    const BlockQuestion& question = questions[place];
    return std::tie(question.parts.signs, question.block, question.parts.han, question.id);
  });
  BlockComparison comparison(questions, settings);
  for (std::size_t begin = 0; begin < order.size();) {
    const std::u32string& signs = questions[order[begin]].parts.signs;
    std::size_t end = begin + 1;
    while (end < order.size() && questions[order[end]].parts.signs == signs) ++end;
    comparison.compare(std::span(order).subspan(begin, end - begin));
    begin = end;
  }
  return std::move(comparison).edges();
}

std::vector<std::pair<std::int64_t, QuestionId>> connected_buckets(
    std::span<const engine::CandidateEdge> edges, std::size_t ids_at_once) {
  std::vector<std::pair<std::int64_t, QuestionId>> all;
  std::int64_t bucket = 0;
  std::size_t in_bucket = 0;
  for (const std::vector<QuestionId>& set : engine::clusters_of(edges)) {
    if (in_bucket >= ids_at_once) {
      ++bucket;
      in_bucket = 0;
    }
    for (const QuestionId id : set) all.emplace_back(bucket, id);
    in_bucket += set.size();
  }
  return all;
}

}  // namespace qdedup::spark
