#include "review/deletion_list.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "refine/parts.h"

namespace qdedup::review {
namespace {

// A question that left the bank has no text.
db::BankQuestion question_of(std::optional<db::BankQuestion> found, QuestionId id) {
  if (found) return *std::move(found);
  db::BankQuestion gone;
  gone.id = id;
  return gone;
}

refine::Contrast contrast_of(const db::BankQuestion& question, const db::BankQuestion& keeper,
                             const ContrastMeasure* measure) {
  if (measure == nullptr || question.text.empty() || keeper.text.empty()) return {};
  return refine::contrast({question.text, question.answer}, {keeper.text, keeper.answer}, measure->characters,
                          measure->settings);
}

Result<bool> next_entry(db::DeletionCursor& rows, db::Bank& bank, const ContrastMeasure* measure,
                        DeletionEntry& entry) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::DeletionRow> row, rows.next());
  if (!row) return false;
  QDEDUP_ASSIGN_OR_RETURN(db::QuestionPair pair, bank.find_pair(row->question, row->keeper));
  entry.outdated = db::standing_of(*row, pair) != db::Standing::holds ||
                   (row->status == db::DeletionStatus::approved && db::answers_contradict(*row, pair));
  entry.question = question_of(std::move(pair.question), row->question);
  entry.keeper = question_of(std::move(pair.keeper), row->keeper);
  entry.row = *std::move(row);
  entry.contrast = contrast_of(entry.question, entry.keeper, measure);
  return true;
}

void count(const ListedTwice& listed, DifferenceCounts& counts) {
  if (!listed.second_keeper) {
    ++counts.only_first;
  } else if (!listed.first_keeper) {
    ++counts.only_second;
  } else {
    ++(*listed.first_keeper == *listed.second_keeper ? counts.same : counts.other_keeper);
  }
}

// A list, and its current row.
struct Place {
  db::DeletionCursor rows;
  std::optional<db::DeletionRow> row;

  Status advance() {
    QDEDUP_ASSIGN_OR_RETURN(row, rows.next());
    return {};
  }
};

Result<Place> begin_of(db::Store& store, std::int64_t iteration) {
  db::DeletionFilter filter;
  filter.iteration = iteration;
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor rows, db::Deletions(store).select(filter));
  Place place{std::move(rows), std::nullopt};
  QDEDUP_TRY(place.advance());
  return place;
}

__extension__ using Wide = unsigned __int128;

}  // namespace

Result<DeletionStream> stream_deletions(db::Store& store, db::Bank& bank, const db::DeletionFilter& filter,
                                        const ContrastMeasure* measure) {
  QDEDUP_ASSIGN_OR_RETURN(db::DeletionCursor selected, db::Deletions(store).select(filter));
  auto rows = std::make_shared<db::DeletionCursor>(std::move(selected));
  return DeletionStream(
      [rows, &bank, measure](DeletionEntry& entry) { return next_entry(*rows, bank, measure, entry); });
}

DeletionStream without_outdated(DeletionStream entries) {
  return [entries = std::move(entries)](DeletionEntry& entry) -> Result<bool> {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more || !entry.outdated || entry.row.status != db::DeletionStatus::approved) return more;
    return Error{ErrorCode::data, "the deletion of " + std::to_string(entry.question.id) +
                                      " was approved for other texts than the bank's; export again"};
  };
}

void ListSummary::add(const DeletionEntry& entry) {
  ++entries;
  ++similarity.at(static_cast<std::size_t>(db::whole_similarity(entry.row.distance, entry.row.length)));
  ++statuses[entry.row.confidence][entry.row.status];
}

std::uint64_t ListSummary::with_confidence(refine::Confidence confidence) const {
  const auto found = statuses.find(confidence);
  if (found == statuses.end()) return 0;
  std::uint64_t sum = 0;
  for (const auto& [status, count] : found->second) sum += count;
  return sum;
}

std::uint64_t ListSummary::with_status(db::DeletionStatus status) const {
  std::uint64_t sum = 0;
  for (const auto& [confidence, counts] : statuses) {
    const auto found = counts.find(status);
    if (found != counts.end()) sum += found->second;
  }
  return sum;
}

Result<ListSummary> summarise(const DeletionStream& entries) {
  ListSummary summary;
  DeletionEntry entry;
  for (;;) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more) return summary;
    summary.add(entry);
  }
}

Result<DifferenceCounts> compare_lists(db::Store& store, std::int64_t first, std::int64_t second,
                                       const std::function<void(const ListedTwice&)>& take) {
  QDEDUP_ASSIGN_OR_RETURN(Place one, begin_of(store, first));
  QDEDUP_ASSIGN_OR_RETURN(Place two, begin_of(store, second));
  DifferenceCounts counts;
  while (one.row || two.row) {
    const bool in_first = one.row && (!two.row || one.row->question <= two.row->question);
    const bool in_second = two.row && (!one.row || two.row->question <= one.row->question);
    ListedTwice listed;
    listed.question = in_first ? one.row->question : two.row->question;
    if (in_first) listed.first_keeper = one.row->keeper;
    if (in_second) listed.second_keeper = two.row->keeper;
    count(listed, counts);
    take(listed);
    if (in_first) QDEDUP_TRY(one.advance());
    if (in_second) QDEDUP_TRY(two.advance());
  }
  return counts;
}

std::uint64_t hundredths_of_percent(std::uint64_t part, std::uint64_t whole) {
  if (part >= whole) return 10'000;
  return static_cast<std::uint64_t>((Wide{part} * 20'000 + whole) / (Wide{whole} * 2));
}

std::string percent_digits(std::uint64_t hundredths) {
  const auto decimals = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (decimals.size() < 2 ? ".0" : ".") + decimals;
}

std::string similarity_percent(std::uint64_t distance, std::uint64_t length) {
  return percent_digits(hundredths_of_percent(length - std::min(distance, length), length));
}

}  // namespace qdedup::review
