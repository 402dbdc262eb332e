#include "iteration/sweep_group.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "iteration/parallel.h"
#include "refine/distance.h"

namespace qdedup::iteration {

// An index need not learn what is rare where one block is all there is.
SweptGroup::SweptGroup(SweepRows& rows, std::span<const std::uint32_t> participants,
                       const refine::DuplicateSettings& settings, unsigned threads,
                       std::function<void(std::size_t)> moved)
    : rows_(rows),
      participants_(participants),
      settings_(settings),
      threads_(threads),
      moved_(std::move(moved)),
      kept_before_(rows.hans, settings,
                   participants.size() > block_size ? participants : std::span<const std::uint32_t>()) {
  const std::vector<std::uint32_t> fresh = not_swept(rows, participants);
  if (fresh.size() < participants.size()) fresh_before_.emplace(rows.hans, settings, fresh);
}

std::vector<std::uint32_t> SweptGroup::not_swept(const SweepRows& rows,
                                                 std::span<const std::uint32_t> participants) {
  std::vector<std::uint32_t> numbers;
  std::ranges::copy_if(participants, std::back_inserter(numbers),
                       [&](std::uint32_t number) { return !rows.rows[number].swept; });
  return numbers;
}

void SweptGroup::settle_block() {
  for (const std::uint32_t number : kept_in_block_) kept_before_.add(number);
  if (fresh_before_) {
    for (const std::uint32_t number : fresh_in_block_) fresh_before_->add(number);
  }
  kept_in_block_.clear();
  fresh_in_block_.clear();
}

void SweptGroup::begin_block() {
  settle_block();
  moved_(taken_);
  kept_here_.emplace(rows_.hans, settings_, std::span<const std::uint32_t>());
  const std::size_t count = std::min(block_size, participants_.size() - taken_);
  earlier_.assign(count, {});
  if (taken_ == 0) return;
  const std::size_t slices = std::min<std::size_t>(threads_, count);
  parallel_for(slices, threads_,
               [&](std::size_t slice) { look_up(count * slice / slices, count * (slice + 1) / slices); });
}

void SweptGroup::look_up(std::size_t begin, std::size_t end) {
  finder::ExactIndex::Scratch scratch;
  std::u32string place;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t number = participants_[taken_ + i];
    const finder::ExactIndex& index = rows_.rows[number].swept ? *fresh_before_ : kept_before_;
    earlier_[i] = index.find_all(rows_.hans.read(number, place), scratch);
  }
}

std::optional<std::uint32_t> SweptGroup::first_found(std::uint32_t number) {
  const std::vector<std::uint32_t>& earlier = earlier_[taken_ % block_size];
  if (!earlier.empty()) return earlier.front();
  std::u32string place;
  return kept_here_->find_first(rows_.hans.read(number, place), scratch_);
}

// What was taken last is compared with all that were kept before it.
std::vector<QuestionId> SweptGroup::duplicates_of_last() {
  std::u32string place;
  const std::u32string_view han = rows_.hans.read(participants_[taken_ - 1], place);
  std::vector<QuestionId> ids;
  for (const std::uint32_t number : earlier_[(taken_ - 1) % block_size]) ids.push_back(rows_.rows[number].id);
  for (const std::uint32_t number : kept_here_->find_all(han, scratch_)) ids.push_back(rows_.rows[number].id);
  return ids;
}

std::optional<QuestionId> SweptGroup::find(QuestionId id, const std::function<bool(QuestionId)>& allowed) {
  if (taken_ % block_size == 0) begin_block();
  const std::uint32_t number = participants_[taken_];
  SweepRow& row = rows_.rows[number];
  assert(row.id == id);
  (void)id;
  const std::optional<std::uint32_t> found = first_found(number);
  ++taken_;
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
                          const refine::DuplicateSettings& settings, unsigned threads,
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
  SweptGroup kept(rows, participants, settings, threads, moved);
  refine::KeeperChoice choice = refine::choose_keepers(std::move(ids), dependants, questions.oracle(), kept);
  return {std::move(choice.deletions), std::move(choice.repointed), std::move(choice.further), choice.held};
}

}  // namespace qdedup::iteration
