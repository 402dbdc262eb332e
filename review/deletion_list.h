#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/store.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"

namespace qdedup::review {

// One line of a deletion list (doc/formats.md, "Deletion list").
struct DeletionEntry {
  db::DeletionRow row;
  db::BankQuestion question;  // as it is now; without text if it has none or left the bank
  db::BankQuestion keeper;
  // It is no longer valid (db::standing_of), or was approved before the answers came to contradict each
  // other.
  bool outdated = false;
  refine::Contrast contrast;  // how the texts differ; empty unless the stream was asked for it
};

// Returns the entries of a list one by one, by delete_id ascending: fills `entry` and returns true, or
// returns false at the end. Lists can have millions of entries, so do not collect them.
using DeletionStream = std::function<Result<bool>(DeletionEntry& entry)>;

// The similarity in percent with two decimals, rounded half up: "80.00". For two empty Han parts "100.00".
std::string similarity_percent(std::uint64_t distance, std::uint64_t length);

// How a stream finds the contrast of each pair.
struct ContrastMeasure {
  refine::CharacterCounts characters;  // of the bank
  refine::ContrastSettings settings;
};

// The deletions in `store` that match `filter`, with the present texts of `bank`, and each pair's contrast if
// `measure` is given. All arguments must outlive the stream.
Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter,
                                        const ContrastMeasure* measure = nullptr);

// The same entries, but fails with ErrorCode::data at an approved entry that is outdated.
DeletionStream without_outdated(DeletionStream entries);

// Totals of a whole deletion list.
struct ListSummary {
  std::uint64_t entries = 0;
  std::array<std::uint64_t, 101> similarity{};  // [p]: at least p and less than p + 1 percent similar
  std::map<refine::Confidence, std::map<db::DeletionStatus, std::uint64_t>> statuses;

  void add(const DeletionEntry& entry);

  // Over all entries with this confidence, or this status.
  [[nodiscard]] std::uint64_t with_confidence(refine::Confidence confidence) const;
  [[nodiscard]] std::uint64_t with_status(db::DeletionStatus status) const;
};

// Reads `entries` to the end.
Result<ListSummary> summarise(const DeletionStream& entries);

// A question listed by at least one of two iterations, with its keeper in each.
struct ListedTwice {
  QuestionId question = 0;
  std::optional<QuestionId> first_keeper;
  std::optional<QuestionId> second_keeper;
};

struct DifferenceCounts {
  std::uint64_t same = 0;          // in both lists, with the same keeper
  std::uint64_t other_keeper = 0;  // in both lists
  std::uint64_t only_first = 0;
  std::uint64_t only_second = 0;
};

// Merges the lists of two iterations by question.
Result<DifferenceCounts> compare_lists(db::Store& store, std::int64_t first, std::int64_t second,
                                       const std::function<void(const ListedTwice&)>& take);

// `part` of `whole` in hundredths of a percent, rounded half up: 2 of 3 is 6667. Exact for all arguments. A
// part greater than the whole counts as the whole; any part of zero counts as all of it.
std::uint64_t hundredths_of_percent(std::uint64_t part, std::uint64_t whole);

// Hundredths of a percent with two decimals and no sign: 6667 is "66.67".
std::string percent_digits(std::uint64_t hundredths);

}  // namespace qdedup::review
