#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "refine/contrast.h"
#include "review/labelled_pairs.h"
#include "review/reliability.h"

namespace qdedup::review {

// How many pairs were called safe, and how many doubtful.
struct ConfidenceCounts {
  std::uint64_t safe = 0;
  std::uint64_t doubtful = 0;

  friend bool operator==(const ConfidenceCounts&, const ConfidenceCounts&) = default;
};

// Counts of label by confidence, and what follows from them. Percentages are in hundredths, rounded half up;
// none if nothing was counted.
class ConfidenceTable {
 public:
  void add(PairLabel label, refine::Confidence confidence);

  [[nodiscard]] const ConfidenceCounts& of(PairLabel label) const {
    return counts_[static_cast<std::size_t>(label)];
  }

  // The share of the same among the pairs labelled same or different that were called safe.
  [[nodiscard]] std::optional<std::uint64_t> precision_of_safe() const;

  // The share of the same among all pairs labelled same or different: the duplicate rule alone.
  [[nodiscard]] std::optional<std::uint64_t> precision_of_rule() const;

  // The share of pairs called safe among those labelled same.
  [[nodiscard]] std::optional<std::uint64_t> same_kept_safe() const;

 private:
  std::array<ConfidenceCounts, pair_label_count> counts_;
};

// Tables of some of the labelled pairs.
struct EvaluatedPairs {
  ConfidenceTable all;
  std::map<std::string, ConfidenceTable> subjects;
  Reliability reliability;

  void add(const LabelledPair& pair, const refine::Contrast& contrast);
};

// How well safe and doubtful, and the risk, agree with labelled pairs.
class Evaluation {
 public:
  // Adds a pair, the distance of its Han parts, and the result of contrast() for it.
  void add(const LabelledPair& pair, std::uint64_t distance, const refine::Contrast& contrast);

  // Counts a pair with a question that is not in the bank, or has no text to compare.
  void add_missing() { ++missing_; }

  // All pairs; and those with a distance above 0, as the many that are equal would hide what is wrong there.
  [[nodiscard]] const EvaluatedPairs& pairs() const { return pairs_; }
  [[nodiscard]] const EvaluatedPairs& unequal() const { return unequal_; }

  // For each reason, how many pairs of each label were doubtful for it (alone or with others).
  using LabelCounts = std::array<std::uint64_t, pair_label_count>;
  [[nodiscard]] const std::map<std::string, LabelCounts>& reasons() const { return reasons_; }

  // A pair that was judged differently from its label.
  struct Miss {
    LabelledPair pair;
    refine::Reasons reasons;  // why it was doubtful; empty if it was called safe
  };

  static constexpr std::size_t max_worst = 20;

  // The worst misses: different or reordered pairs that were called safe, then same pairs that were doubtful;
  // both by small id and large id, at most `max_worst` of each.
  [[nodiscard]] std::vector<Miss> worst() const;

  // How many further pairs were judged differently from their labels.
  [[nodiscard]] std::uint64_t more_wrong() const { return wrongly_safe_.more + wrongly_doubtful_.more; }

  [[nodiscard]] std::uint64_t missing() const { return missing_; }

 private:
  // The misses with the smallest ids, ascending.
  struct FirstMisses {
    std::vector<Miss> list;
    std::uint64_t more = 0;

    void add(Miss miss);
  };

  EvaluatedPairs pairs_;
  EvaluatedPairs unequal_;
  std::map<std::string, LabelCounts> reasons_;
  FirstMisses wrongly_safe_;
  FirstMisses wrongly_doubtful_;
  std::uint64_t missing_ = 0;
};

// The evaluation as tables for people: label by confidence for all pairs and for each subject, the
// percentages, the reliability of the risk, the reasons, and the worst pairs.
std::string evaluation_text(const Evaluation& evaluation);

// The same as a JSON object and a line feed. Its keys: the labels, each {"safe":n,"doubtful":n};
// precision_of_safe, precision_of_rule and same_kept_safe in percent, null if nothing was counted; unequal,
// with the same keys for the pairs with a distance above 0; subjects, with the same keys for each subject;
// reliability and reliability_unequal (review/reliability.h); reasons, by reason and label; worst;
// more_wrong; missing.
std::string evaluation_json(const Evaluation& evaluation);

}  // namespace qdedup::review
