#include "iteration/sweep_group.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>

#include "iteration/parallel.h"
#include "refine/distance.h"

namespace qdedup::iteration {

SweptGroup::SweptGroup(SweepRows& rows, std::span<const std::uint32_t> participants,
                       const refine::DuplicateSettings& settings, const SweepMeans& means,
                       std::function<void(std::size_t)> moved)
    : rows_(rows),
      participants_(participants),
      settings_(settings),
      means_(means),
      block_size_(std::min(means.block, means.indexed_at_once)),
      moved_(std::move(moved)) {}

SweptGroup::Numbers SweptGroup::not_swept(std::span<const std::uint32_t> participants) const {
  Numbers numbers;
  std::ranges::copy_if(participants, std::back_inserter(numbers),
                       [&](std::uint32_t number) { return !rows_.rows[number].swept; });
  return numbers;
}

bool SweptGroup::any_swept(std::span<const std::uint32_t> participants) const {
  return std::ranges::any_of(participants, [this](std::uint32_t number) { return rows_.rows[number].swept; });
}

// As many blocks as may be indexed at once, or one. Those that are not swept count twice where they are
// indexed apart as well.
std::size_t SweptGroup::end_of_part(bool fresh_apart) const {
  std::size_t end = taken_;
  for (std::size_t indexed = 0; end < participants_.size();) {
    const auto block = participants_.subspan(end, std::min(block_size_, participants_.size() - end));
    indexed += block.size();
    if (fresh_apart) {
      indexed += static_cast<std::size_t>(
          std::ranges::count_if(block, [this](std::uint32_t number) { return !rows_.rows[number].swept; }));
    }
    if (indexed > means_.indexed_at_once && end > taken_) break;
    end += block.size();
  }
  return end;
}

// An index need not learn what is rare where one block is all there is.
void SweptGroup::begin_part() {
  if (taken_ > 0) end_part();
  const bool fresh_apart = any_swept(participants_.subspan(taken_));
  part_end_ = end_of_part(fresh_apart);
  const auto part = participants_.subspan(taken_, part_end_ - taken_);
  kept_before_.emplace(rows_.hans, settings_,
                       part.size() > block_size_ ? part : std::span<const std::uint32_t>());
  fresh_before_.reset();
  if (fresh_apart) fresh_before_.emplace(rows_.hans, settings_, not_swept(part));
}

// In stretches of blocks, as it takes as long as many blocks do.
void SweptGroup::end_part() {
  constexpr std::size_t blocks_on_end = 32;
  std::erase_if(in_parts_, [this](const Pair& pair) { return pair.first < taken_; });
  std::mutex mutex;
  const auto note = [&](std::size_t place, const Numbers& found) {
    if (found.empty()) return;
    const std::lock_guard lock(mutex);
    for (const std::uint32_t number : found) in_parts_.emplace_back(place, number);
  };
  for (std::size_t begin = taken_; begin < participants_.size();) {
    const std::size_t end = std::min(begin + blocks_on_end * block_size_, participants_.size());
    look_up(begin, end, note);
    moved_(taken_);
    begin = end;
  }
  std::ranges::sort(in_parts_);
}

// Looks the participants of these places up in this part, on all threads.
void SweptGroup::look_up(std::size_t begin, std::size_t end,
                         const std::function<void(std::size_t, Numbers)>& take) {
  constexpr std::size_t slices_per_thread = 8;
  constexpr std::size_t usual_slice = 512;
  const std::size_t count = end - begin;
  const std::size_t slices =
      std::min(std::max<std::size_t>(slices_per_thread * means_.threads, count / usual_slice), count);
  parallel_for(slices, means_.threads, [&](std::size_t slice) {
    finder::ExactIndex::Scratch scratch;
    std::u32string text;
    for (std::size_t i = count * slice / slices; i < count * (slice + 1) / slices; ++i) {
      const std::uint32_t number = participants_[begin + i];
      const finder::ExactIndex& index = rows_.rows[number].swept ? *fresh_before_ : *kept_before_;
      take(begin + i, index.find_all(rows_.hans.read(number, text), scratch));
    }
  });
}

void SweptGroup::settle_block() {
  for (const std::uint32_t number : kept_in_block_) kept_before_->add(number);
  if (fresh_before_) {
    for (const std::uint32_t number : fresh_in_block_) fresh_before_->add(number);
  }
  kept_in_block_.clear();
  fresh_in_block_.clear();
}

void SweptGroup::begin_block() {
  settle_block();
  moved_(taken_);
  const bool first_of_part = taken_ == part_end_;
  if (first_of_part) begin_part();
  kept_here_.emplace(rows_.hans, settings_, std::span<const std::uint32_t>());
  const std::size_t end = std::min(taken_ + block_size_, participants_.size());
  in_blocks_.assign(end - taken_, {});
  if (first_of_part) return;
  look_up(taken_, end,
          [this](std::size_t place, Numbers found) { in_blocks_[place % block_size_] = std::move(found); });
}

// Of the participant taken last, among what was kept before this block; what an earlier part has is smaller.
std::optional<std::uint32_t> SweptGroup::first_found() const {
  const std::size_t place = taken_ - 1;
  const auto in_part = std::ranges::lower_bound(in_parts_, place, {}, &Pair::first);
  if (in_part != in_parts_.end() && in_part->first == place) return in_part->second;
  const Numbers& in_blocks = in_blocks_[place % block_size_];
  return in_blocks.empty() ? std::nullopt : std::optional(in_blocks.front());
}

std::optional<std::uint32_t> SweptGroup::first_here(std::uint32_t number) {
  std::u32string place;
  return kept_here_->find_first(rows_.hans.read(number, place), scratch_);
}

// Among all that was kept before it, ascending.
std::vector<QuestionId> SweptGroup::duplicates_of_last() {
  const std::size_t place = taken_ - 1;
  Numbers all;
  const auto [begin, end] =
      std::equal_range(in_parts_.begin(), in_parts_.end(), Pair(static_cast<std::uint32_t>(place), 0),
                       [](const Pair& a, const Pair& b) { return a.first < b.first; });
  std::transform(begin, end, std::back_inserter(all), [](const Pair& pair) { return pair.second; });
  const Numbers& in_blocks = in_blocks_[place % block_size_];
  all.insert(all.end(), in_blocks.begin(), in_blocks.end());
  std::u32string text;
  const Numbers here = kept_here_->find_all(rows_.hans.read(participants_[place], text), scratch_);
  all.insert(all.end(), here.begin(), here.end());
  std::vector<QuestionId> ids;
  ids.reserve(all.size());
  for (const std::uint32_t number : all) ids.push_back(rows_.rows[number].id);
  return ids;
}

std::optional<QuestionId> SweptGroup::find(QuestionId id, const std::function<bool(QuestionId)>& allowed) {
  if (taken_ % block_size_ == 0) begin_block();
  const std::uint32_t number = participants_[taken_++];
  SweepRow& row = rows_.rows[number];
  assert(row.id == id);
  (void)id;
  std::optional<std::uint32_t> found = first_found();
  if (!found) found = first_here(number);
  was_swept_ = std::exchange(row.swept, false);
  found_any_ = found.has_value();
  if (!found) return std::nullopt;
  if (allowed(rows_.rows[*found].id)) return rows_.rows[*found].id;
  const std::vector<QuestionId> all = duplicates_of_last();
  const auto other = std::ranges::find_if(all, allowed);
  return other == all.end() ? std::nullopt : std::optional(*other);
}

std::vector<QuestionId> SweptGroup::find_beyond(QuestionId id, QuestionId keeper,
                                                const std::function<bool(QuestionId)>& allowed) {
  assert(rows_.rows[participants_[taken_ - 1]].id == id);
  (void)id;
  std::vector<QuestionId> found = duplicates_of_last();
  std::erase_if(found, [&](QuestionId other) { return other <= keeper || !allowed(other); });
  return found;
}

void SweptGroup::keep(QuestionId id) {
  const std::uint32_t number = participants_[taken_ - 1];
  assert(rows_.rows[number].id == id);
  (void)id;
  rows_.rows[number].swept = !found_any_;
  kept_here_->add(number);
  kept_in_block_.push_back(number);
  if (!was_swept_) fresh_in_block_.push_back(number);
}

namespace {

// Answers what the choice of keepers asks about the questions of a group.
class GroupQuestions {
 public:
  GroupQuestions(const SweepRows& rows, std::span<const std::uint32_t> group,
                 const std::vector<RejectedPair>& rejected, const refine::DuplicateSettings& settings)
      : rows_(rows), group_(group), rejected_(rejected), settings_(settings) {}

  [[nodiscard]] refine::KeeperOracle oracle() const {
    return {[this](QuestionId id) { return number_of(id).has_value(); },
            [this](QuestionId a, QuestionId b) { return duplicates(*number_of(a), *number_of(b)); },
            [this](QuestionId question, QuestionId keeper) {
              return !rejected_.empty() && is_rejected(rejected_, hashed(question), hashed(keeper));
            }};
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> number_of(QuestionId id) const {
    const auto found = std::ranges::lower_bound(
        group_, id, {}, [this](std::uint32_t number) { return rows_.rows[number].id; });
    if (found == group_.end() || rows_.rows[*found].id != id) return std::nullopt;
    return *found;
  }

  [[nodiscard]] HashedQuestion hashed(QuestionId id) const {
    return {id, rows_.rows[*number_of(id)].text_hash};
  }

  [[nodiscard]] bool duplicates(std::uint32_t a, std::uint32_t b) const {
    std::u32string a_place;
    std::u32string b_place;
    const refine::Parts first{.signs = {}, .han = std::u32string(rows_.hans.read(a, a_place))};
    const refine::Parts second{.signs = {}, .han = std::u32string(rows_.hans.read(b, b_place))};
    return refine::compare(first, second, settings_).duplicate;
  }

  const SweepRows& rows_;
  std::span<const std::uint32_t> group_;
  const std::vector<RejectedPair>& rejected_;
  const refine::DuplicateSettings& settings_;
};

}  // namespace

GroupOutcome decide_group(SweepRows& rows, std::span<const std::uint32_t> group, const DeletionIndex& open,
                          const std::vector<RejectedPair>& rejected,
                          const refine::DuplicateSettings& settings, const SweepMeans& means,
                          const std::function<void(std::size_t taken)>& moved) {
  std::vector<std::uint32_t> participants;
  std::vector<QuestionId> ids;
  std::vector<refine::Deletion> dependants;
  participants.reserve(group.size());
  ids.reserve(group.size());
  bool any_fresh = false;
  for (const std::uint32_t number : group) {
    SweepRow& row = rows.rows[number];
    if (!open.of_question(row.id).empty()) {
      row.swept = false;
      continue;
    }
    participants.push_back(number);
    ids.push_back(row.id);
    any_fresh = any_fresh || !row.swept;
    const auto of_keeper = open.of_keeper(row.id);
    dependants.insert(dependants.end(), of_keeper.begin(), of_keeper.end());
  }
  if (!any_fresh || participants.size() < 2) return {};
  const GroupQuestions questions(rows, group, rejected, settings);
  SweptGroup kept(rows, participants, settings, means, moved);
  refine::KeeperChoice choice = refine::choose_keepers(std::move(ids), dependants, questions.oracle(), kept);
  return {std::move(choice.deletions), std::move(choice.repointed), std::move(choice.further), choice.held};
}

}  // namespace qdedup::iteration
