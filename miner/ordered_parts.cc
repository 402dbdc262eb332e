#include "miner/ordered_parts.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <xxhash.h>

#include "base/question_id.h"

namespace qdedup::miner {
namespace {

// What the canonical order compares first.
using Key = std::pair<std::uint64_t, QuestionId>;  // of the top score; first id

Key key_of(const SeedLists& lists, std::size_t list) {
  return {score_key(lists.top_score(list)), lists.ids(list).front()};
}

std::uint64_t hash(std::span<const QuestionId> ids) { return XXH3_64bits(ids.data(), ids.size_bytes()); }

constexpr std::string_view stage = "order";

class PartedLists {
 public:
  PartedLists(const ListSource& source, const IdNumbers& numbers, const ListSums& sums, std::size_t parts,
              const WorkShare& share, const Progress& progress)
      : source_(source),
        numbers_(numbers),
        sums_(sums),
        parts_(parts),
        share_(share),
        progress_(progress),
        is_distinct_(sums.lists) {}

  // Equal lists have the same hash, so they are in the same part.
  Status find_distinct() {
    for (std::size_t part = 0; part < parts_; ++part) {
      std::vector<std::size_t> places;
      const auto wanted = [&](const SeedLists& lists, std::size_t list, std::size_t place) {
        if (hash(lists.ids(list)) % parts_ != part) return false;
        places.push_back(place);
        return true;
      };
      QDEDUP_ASSIGN_OR_RETURN(const NumberedLists lists, collect(wanted));
      for (const std::uint32_t list : distinct_lists(lists, share_)) is_distinct_[places[list]] = true;
    }
    return {};
  }

  // Part i contains the lists from begins_[i] up to begins_[i + 1].
  Status find_begins() {
    constexpr std::size_t tried_per_part = 1000;
    const std::size_t step = std::max<std::size_t>(sums_.lists / (tried_per_part * parts_), 1);
    std::vector<Key> tried;
    std::size_t place = 0;
    QDEDUP_TRY(read([&](const SeedLists& lists) {
      for (std::size_t list = 0; list < lists.size(); ++list) {
        if (place++ % step == 0) tried.push_back(key_of(lists, list));
      }
    }));
    std::ranges::sort(tried);
    for (std::size_t part = 1; part < parts_; ++part) begins_.push_back(tried[tried.size() * part / parts_]);
    return {};
  }

  Result<NumberedLists> part(std::size_t number) {
    const Key begin = number == 0 ? Key() : begins_[number - 1];
    return collect([&](const SeedLists& lists, std::size_t list, std::size_t place) {
      if (!is_distinct_[place]) return false;
      const Key key = key_of(lists, list);
      return key >= begin && (number + 1 == parts_ || key < begins_[number]);
    });
  }

 private:
  // Those of which wanted(lists, list, place) is true, where `place` is the number of the list among all.
  template <class Wanted>
  Result<NumberedLists> collect(const Wanted& wanted) {
    NumberedLists numbered;
    SeedLists chosen;
    std::size_t place = 0;
    const Status outcome = read([&](const SeedLists& lists) {
      chosen.clear();
      for (std::size_t list = 0; list < lists.size(); ++list) {
        if (wanted(lists, list, place++)) chosen.append(lists.top_score(list), lists.ids(list));
      }
      numbered.append(chosen, numbers_);
    });
    if (!outcome.ok()) return outcome.error();
    return numbered;
  }

  // Each part is read twice, and everything once to find the parts' boundaries.
  template <class Take>
  Status read(const Take& take) {
    return source_([&](const SeedLists& lists) {
      take(lists);
      lists_read_ += lists.size();
      progress_(stage, lists_read_, (2 * parts_ + 1) * sums_.lists, "lists");
    });
  }

  const ListSource& source_;
  const IdNumbers& numbers_;
  ListSums sums_;
  std::size_t parts_;
  const WorkShare& share_;
  const Progress& progress_;
  std::uint64_t lists_read_ = 0;   // counted each time
  std::vector<bool> is_distinct_;  // by place
  std::vector<Key> begins_;        // of all parts but the first
};

Status take_all(const ListSource& source, const IdNumbers& numbers, const ListSums& sums,
                const Progress& progress, const std::function<void(NumberedLists)>& take) {
  NumberedLists numbered;
  numbered.reserve(sums.lists, sums.ids);
  QDEDUP_TRY(source([&](const SeedLists& lists) {
    numbered.append(lists, numbers);
    progress(stage, numbered.size(), sums.lists, "lists");
  }));
  take(std::move(numbered));
  return {};
}

}  // namespace

Status for_each_part(const ListSource& source, const IdNumbers& numbers, const ListSums& sums,
                     std::size_t parts, const WorkShare& share, const Progress& progress,
                     const std::function<void(NumberedLists)>& take) {
  if (parts <= 1 || sums.lists == 0) return take_all(source, numbers, sums, progress, take);
  PartedLists parted(source, numbers, sums, parts, share, progress);
  QDEDUP_TRY(parted.find_distinct());
  QDEDUP_TRY(parted.find_begins());
  for (std::size_t part = 0; part < parts; ++part) {
    QDEDUP_ASSIGN_OR_RETURN(NumberedLists lists, parted.part(part));
    take(std::move(lists));
  }
  return {};
}

}  // namespace qdedup::miner
