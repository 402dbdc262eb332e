#include "review/list_difference.h"

#include <utility>

namespace qdedup::review {
namespace {

void count(const ListedTwice& listed, DifferenceCounts& counts) {
  if (!listed.second_keeper) {
    ++counts.only_first;
  } else if (!listed.first_keeper) {
    ++counts.only_second;
  } else {
    ++(*listed.first_keeper == *listed.second_keeper ? counts.same : counts.other_keeper);
  }
}

// One list, and the row at which one stands in it.
struct Place {
  db::DeletionCursor rows;
  std::optional<db::DeletionRow> row;

  Status advance() {
    Result<std::optional<db::DeletionRow>> next = rows.next();
    if (!next.ok()) return std::move(next).error();
    row = *std::move(next);
    return {};
  }
};

Result<Place> begin_of(db::Store& store, std::int64_t iteration) {
  db::DeletionFilter filter;
  filter.iteration = iteration;
  Result<db::DeletionCursor> rows = db::Deletions(store).select(filter);
  if (!rows.ok()) return std::move(rows).error();
  Place place{*std::move(rows), std::nullopt};
  QDEDUP_TRY(place.advance());
  return place;
}

}  // namespace

Result<DifferenceCounts> compare_lists(db::Store& store, std::int64_t first, std::int64_t second,
                                       const std::function<void(const ListedTwice&)>& take) {
  Result<Place> one = begin_of(store, first);
  if (!one.ok()) return std::move(one).error();
  Result<Place> two = begin_of(store, second);
  if (!two.ok()) return std::move(two).error();
  DifferenceCounts counts;
  while (one->row || two->row) {
    const bool in_first = one->row && (!two->row || one->row->question <= two->row->question);
    const bool in_second = two->row && (!one->row || two->row->question <= one->row->question);
    ListedTwice listed;
    listed.question = in_first ? one->row->question : two->row->question;
    if (in_first) listed.first_keeper = one->row->keeper;
    if (in_second) listed.second_keeper = two->row->keeper;
    count(listed, counts);
    take(listed);
    if (in_first) QDEDUP_TRY(one->advance());
    if (in_second) QDEDUP_TRY(two->advance());
  }
  return counts;
}

}  // namespace qdedup::review
