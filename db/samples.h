#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/decisions.h"
#include "db/store.h"

namespace qdedup::db {

// A blind sample: deletions drawn at random, and the judgements of people who did not see the verdict.
struct SampleRecord {
  std::int64_t id = 0;
  std::string drawn_at;
  std::string drawn_by;
  std::uint64_t population = 0;  // from how many it was drawn
  std::uint64_t size = 0;
  std::uint64_t same = 0;       // judged to ask the same question
  std::uint64_t different = 0;  // judged to ask another question
};

struct SamplePair {
  std::int64_t sample = 0;
  std::uint64_t position = 0;  // in the sample, from 1
  std::int64_t deletion_id = 0;
  QuestionId keeper = 0;  // the deletion's keeper when it was drawn
  std::string judgement;  // "", "same" or "different"
  std::string judged_by;
};

// What a person judged blind.
struct BlindWork {
  std::string by;
  std::uint64_t judged = 0;
  std::uint64_t compared = 0;  // of these, pairs on which somebody else decided last, one by one
  std::uint64_t agreed = 0;    // of these, "same" and approved, or "different" and rejected
};

class Samples {
 public:
  explicit Samples(Store& store) : store_(store) {}

  // Stores a sample of these deletions, in this order, and returns its id.
  Result<std::int64_t> draw(std::span<const std::int64_t> deletion_ids, std::uint64_t population,
                            const Decider& decider);

  // All samples, oldest first.
  Result<std::vector<SampleRecord>> all();

  // The pairs of a sample, by position; empty if there is no such sample.
  Result<std::vector<SamplePair>> pairs(std::int64_t sample);

  // By person. Linear in what was judged.
  Result<std::vector<BlindWork>> work();

  // Judges the pair "same" or "different", or withdraws the judgement (""). Only the person who judged a pair
  // may change that; false, with nothing changed, if somebody else judged it. ErrorCode::no_input if there is
  // no such pair.
  Result<bool> judge(std::int64_t sample, std::uint64_t position, const std::string& judgement,
                     const Decider& decider);

 private:
  Store& store_;
};

}  // namespace qdedup::db
