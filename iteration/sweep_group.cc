#include "iteration/sweep_group.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <string>
#include <utility>

#include "iteration/parallel.h"
#include "refine/distance.h"

namespace qdedup::iteration {

SweptGroup::SweptGroup(SweepRows& rows, std::span<const std::uint32_t> participants,
                       std::vector<std::uint32_t> may_be_refused, const refine::DuplicateSettings& settings,
                       const SweepMeans& means, std::function<void(std::size_t)> moved)
    : rows_(rows),
      participants_(participants),
      settings_(settings),
      means_(means),
      block_size_(std::min(usual_block, means.indexed_at_once)),
      part_size_(participants.size() > means.indexed_at_once
                     ? means.indexed_at_once / block_size_ * block_size_
                     : participants.size()),
      moved_(std::move(moved)),
      may_be_refused_(std::move(may_be_refused)),
      earlier_(participants.size(), none) {}

std::vector<std::uint32_t> SweptGroup::not_swept(std::span<const std::uint32_t> participants) const {
  std::vector<std::uint32_t> numbers;
  std::ranges::copy_if(participants, std::back_inserter(numbers),
                       [&](std::uint32_t number) { return !rows_.rows[number].swept; });
  return numbers;
}

// An index need not learn what is rare where one block is all there is.
void SweptGroup::begin_part() {
  if (taken_ > 0) end_part();
  const auto part = participants_.subspan(taken_, std::min(part_size_, participants_.size() - taken_));
  kept_before_.emplace(rows_.hans, settings_,
                       part.size() > block_size_ ? part : std::span<const std::uint32_t>());
  fresh_before_.reset();
  if (std::ranges::any_of(participants_.subspan(taken_),
                          [this](std::uint32_t number) { return rows_.rows[number].swept; }))
    fresh_before_.emplace(rows_.hans, settings_, not_swept(part));
}

void SweptGroup::end_part() {
  for (const std::uint32_t number : may_be_refused_) in_parts_[number];
  on_all_threads(
      taken_, participants_.size(),
      [this](std::size_t place, finder::ExactIndex::Scratch& scratch) { look_up_in_part(place, scratch); });
}

void SweptGroup::look_up_in_part(std::size_t place, finder::ExactIndex::Scratch& scratch) {
  look_up(place, scratch);
  const std::uint32_t number = participants_[place];
  const auto refused = in_parts_.find(number);
  if (refused == in_parts_.end()) return;
  std::u32string text;
  const auto all = kept_before_->find_all(rows_.hans.read(number, text), scratch);
  refused->second.insert(refused->second.end(), all.begin(), all.end());
}

void SweptGroup::on_all_threads(std::size_t begin, std::size_t end, const LookUp& look_up_one) {
  constexpr std::size_t slices_per_thread = 8;
  const std::size_t count = end - begin;
  const std::size_t slices = std::min<std::size_t>(slices_per_thread * means_.threads, count);
  parallel_for(slices, means_.threads, [&](std::size_t slice) {
    finder::ExactIndex::Scratch scratch;
    for (std::size_t i = count * slice / slices; i < count * (slice + 1) / slices; ++i)
      look_up_one(begin + i, scratch);
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
  const bool first_of_part = taken_ % part_size_ == 0;
  if (first_of_part) begin_part();
  kept_here_.emplace(rows_.hans, settings_, std::span<const std::uint32_t>());
  if (first_of_part) return;
  on_all_threads(
      taken_, std::min(taken_ + block_size_, participants_.size()),
      [this](std::size_t place, finder::ExactIndex::Scratch& scratch) { look_up(place, scratch); });
}

const finder::ExactIndex& SweptGroup::index_for(std::uint32_t number) const {
  return rows_.rows[number].swept ? *fresh_before_ : *kept_before_;
}

// What an earlier part has is smaller than what this one has.
void SweptGroup::look_up(std::size_t place, finder::ExactIndex::Scratch& scratch) {
  if (earlier_[place] != none) return;
  const std::uint32_t number = participants_[place];
  std::u32string text;
  earlier_[place] = index_for(number).find_first(rows_.hans.read(number, text), scratch).value_or(none);
}

std::optional<std::uint32_t> SweptGroup::first_found(std::uint32_t number) {
  if (earlier_[taken_] != none) return earlier_[taken_];
  std::u32string place;
  return kept_here_->find_first(rows_.hans.read(number, place), scratch_);
}

std::optional<QuestionId> SweptGroup::first_allowed(std::uint32_t number,
                                                    const std::function<bool(QuestionId)>& allowed) {
  std::u32string place;
  const std::u32string_view han = rows_.hans.read(number, place);
  std::vector<std::uint32_t> all = in_parts_[number];
  for (const finder::ExactIndex* index : {&*kept_before_, &*kept_here_}) {
    const std::vector<std::uint32_t> found = index->find_all(han, scratch_);
    all.insert(all.end(), found.begin(), found.end());
  }
  const auto found =
      std::ranges::find_if(all, [&](std::uint32_t kept) { return allowed(rows_.rows[kept].id); });
  return found == all.end() ? std::nullopt : std::optional(rows_.rows[*found].id);
}

std::optional<QuestionId> SweptGroup::find(QuestionId id, const std::function<bool(QuestionId)>& allowed) {
  if (taken_ % block_size_ == 0) begin_block();
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
  return first_allowed(number, allowed);
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

// Those of the participants of which a deletion was rejected.
std::vector<std::uint32_t> questions_of(const std::vector<RejectedPair>& rejected, const SweepRows& rows,
                                        std::span<const std::uint32_t> participants) {
  std::vector<std::uint32_t> numbers;
  if (rejected.empty()) return numbers;
  std::ranges::copy_if(participants, std::back_inserter(numbers), [&](std::uint32_t number) {
    const QuestionId id = rows.rows[number].id;
    const auto found = std::ranges::lower_bound(rejected, id, {}, &RejectedPair::question);
    return found != rejected.end() && found->question == id;
  });
  return numbers;
}

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
  SweptGroup kept(rows, participants, questions_of(rejected, rows, participants), settings, means, moved);
  refine::KeeperChoice choice = refine::choose_keepers(std::move(ids), dependants, questions.oracle(), kept);
  return {std::move(choice.deletions), std::move(choice.repointed), choice.held};
}

}  // namespace qdedup::iteration
