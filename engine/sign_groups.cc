#include "engine/sign_groups.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "finder/exact_index.h"

namespace qdedup::engine {
namespace {

// The kept questions of one sign group, whose questions are taken by id, with an index for finding duplicates
// among them. Swept questions are compared only with those that are not.
//
// Questions are looked up in blocks: first all of a block, on all threads, among those kept before the block;
// then one by one among those the block itself keeps. If an index of everything kept (and, if some questions
// are swept, another of those that are not) would be too large, the group is taken in parts: at the end of
// each part, all later questions are looked up among those it kept, at 8 bytes per pair found, and its index
// is freed. The result depends on neither threads nor parts.
class KeptInGroup final : public refine::KeptQuestions {
 public:
  // `participants` are numbers of rows, ascending. find() must be called for each in this order, each time
  // followed by keep(). `moved` is called now and then with the number taken so far, even if that has not
  // changed. Updates `swept` of the rows to what this sweep finds.
  KeptInGroup(SignGroups& groups, std::span<const std::uint32_t> participants,
              const refine::DuplicateSettings& settings, const GroupLimits& limits,
              std::function<void(std::size_t taken)> moved)
      : groups_(groups),
        participants_(participants),
        settings_(settings),
        limits_(limits),
        block_size_(std::min(limits.block * limits.threads, limits.indexed_at_once)),
        moved_(std::move(moved)) {}

  std::optional<QuestionId> find([[maybe_unused]] QuestionId id,
                                 const std::function<bool(QuestionId)>& allowed) override {
    if (taken_ % block_size_ == 0) begin_block();
    const std::uint32_t number = participants_[taken_++];
    SweepRow& row = groups_.rows[number];
    assert(row.id == id);
    std::optional<std::uint32_t> found = first_found();
    if (!found) found = first_here(number);
    was_swept_ = std::exchange(row.swept, false);
    found_any_ = found.has_value();
    if (!found) return std::nullopt;
    if (allowed(groups_.rows[*found].id)) return groups_.rows[*found].id;
    const std::vector<QuestionId> all = duplicates_of_last();
    const auto other = std::ranges::find_if(all, allowed);
    return other == all.end() ? std::nullopt : std::optional(*other);
  }

  std::vector<QuestionId> find_beyond([[maybe_unused]] QuestionId id, QuestionId keeper,
                                      const std::function<bool(QuestionId)>& allowed) override {
    assert(groups_.rows[participants_[taken_ - 1]].id == id);
    std::vector<QuestionId> found = duplicates_of_last();
    std::erase_if(found, [&](QuestionId other) { return other <= keeper || !allowed(other); });
    return found;
  }

  void keep([[maybe_unused]] QuestionId id) override {
    const std::uint32_t number = participants_[taken_ - 1];
    assert(groups_.rows[number].id == id);
    groups_.rows[number].swept = !found_any_;
    kept_here_->add(number);
    kept_in_block_.push_back(number);
    if (!was_swept_) fresh_in_block_.push_back(number);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;
  // The position of a participant, and a duplicate of it.
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] Numbers not_swept(std::span<const std::uint32_t> participants) const {
    Numbers numbers;
    std::ranges::copy_if(participants, std::back_inserter(numbers),
                         [&](std::uint32_t number) { return !groups_.rows[number].swept; });
    return numbers;
  }

  // As many blocks as may be indexed at once, but at least one. Questions that are not swept count twice if
  // they have an index of their own as well.
  [[nodiscard]] std::size_t end_of_part(bool fresh_apart) const {
    std::size_t end = taken_;
    for (std::size_t indexed = 0; end < participants_.size();) {
      const auto block = participants_.subspan(end, std::min(block_size_, participants_.size() - end));
      indexed += block.size() + (fresh_apart ? not_swept(block).size() : 0);
      if (indexed > limits_.indexed_at_once && end > taken_) break;
      end += block.size();
    }
    return end;
  }

  // With only one block left, an index need not learn which tokens are rare.
  void begin_part() {
    if (taken_ > 0) end_part();
    const auto left = participants_.subspan(taken_);
    const bool fresh_apart =
        std::ranges::any_of(left, [this](std::uint32_t number) { return groups_.rows[number].swept; });
    part_end_ = end_of_part(fresh_apart);
    const auto part = left.first(part_end_ - taken_);
    kept_before_.emplace(groups_.hans, settings_,
                         part.size() > block_size_ ? part : std::span<const std::uint32_t>());
    fresh_before_.reset();
    if (fresh_apart) fresh_before_.emplace(groups_.hans, settings_, not_swept(part));
  }

  // Looks up many blocks at a time, for speed.
  void end_part() {
    constexpr std::size_t blocks_on_end = 32;
    std::erase_if(in_parts_, [this](const Pair& pair) { return pair.first < taken_; });
    for (std::size_t begin = taken_; begin < participants_.size();) {
      const std::size_t end = std::min(begin + blocks_on_end * block_size_, participants_.size());
      const std::vector<Numbers> found = look_up(begin, end);
      for (std::size_t place = begin; place < end; ++place) {
        for (const std::uint32_t number : found[place - begin]) in_parts_.emplace_back(place, number);
      }
      moved_(taken_);
      begin = end;
    }
    std::ranges::sort(in_parts_);
  }

  void begin_block() {
    settle_block();
    moved_(taken_);
    const bool first_of_part = taken_ == part_end_;
    if (first_of_part) begin_part();
    kept_here_.emplace(groups_.hans, settings_, std::span<const std::uint32_t>());
    const std::size_t end = std::min(taken_ + block_size_, participants_.size());
    in_blocks_ = first_of_part ? std::vector<Numbers>(end - taken_) : look_up(taken_, end);
  }

  void settle_block() {
    for (const std::uint32_t number : kept_in_block_) kept_before_->add(number);
    if (fresh_before_) {
      for (const std::uint32_t number : fresh_in_block_) fresh_before_->add(number);
    }
    kept_in_block_.clear();
    fresh_in_block_.clear();
  }

  // Looks up the participants at these positions in the current part, on all threads.
  [[nodiscard]] std::vector<Numbers> look_up(std::size_t begin, std::size_t end) const {
    constexpr std::size_t slices_per_thread = 8;
    constexpr std::size_t usual_slice = 512;
    const std::size_t count = end - begin;
    const std::size_t slices =
        std::min(std::max<std::size_t>(slices_per_thread * limits_.threads, count / usual_slice), count);
    std::vector<Numbers> found(count);
    limits_.share(slices, [&](std::size_t slice) {
      finder::ExactIndex::Scratch scratch;
      std::u32string text;
      for (std::size_t i = count * slice / slices; i < count * (slice + 1) / slices; ++i) {
        const std::uint32_t number = participants_[begin + i];
        const finder::ExactIndex& index = groups_.rows[number].swept ? *fresh_before_ : *kept_before_;
        found[i] = index.find_all(groups_.hans.read(number, text), scratch);
      }
    });
    return found;
  }

  // The duplicates of the last participant that earlier parts kept.
  [[nodiscard]] std::span<const Pair> in_earlier_parts() const {
    const std::size_t place = taken_ - 1;
    return {std::ranges::lower_bound(in_parts_, place, {}, &Pair::first),
            std::ranges::upper_bound(in_parts_, place, {}, &Pair::first)};
  }

  // Those that earlier blocks of this part kept.
  [[nodiscard]] const Numbers& in_earlier_blocks() const { return in_blocks_[(taken_ - 1) % block_size_]; }

  // The smallest duplicate of the last participant among those kept before this block; any in an earlier part
  // are smaller.
  [[nodiscard]] std::optional<std::uint32_t> first_found() const {
    if (!in_earlier_parts().empty()) return in_earlier_parts().front().second;
    if (!in_earlier_blocks().empty()) return in_earlier_blocks().front();
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint32_t> first_here(std::uint32_t number) {
    std::u32string place;
    return kept_here_->find_first(groups_.hans.read(number, place), scratch_);
  }

  // All duplicates of the last participant that were kept before it, ascending.
  [[nodiscard]] std::vector<QuestionId> duplicates_of_last() {
    std::vector<QuestionId> ids;
    const auto add = [&](std::uint32_t number) { ids.push_back(groups_.rows[number].id); };
    for (const Pair& pair : in_earlier_parts()) add(pair.second);
    std::ranges::for_each(in_earlier_blocks(), add);
    std::u32string text;
    const std::u32string_view han = groups_.hans.read(participants_[taken_ - 1], text);
    std::ranges::for_each(kept_here_->find_all(han, scratch_), add);
    return ids;
  }

  SignGroups& groups_;
  std::span<const std::uint32_t> participants_;
  refine::DuplicateSettings settings_;
  const GroupLimits& limits_;
  std::size_t block_size_;
  std::size_t part_end_ = 0;  // a position in participants_: at the end of a block, or of all
  std::function<void(std::size_t)> moved_;
  std::optional<finder::ExactIndex> kept_before_;   // kept in this part, in blocks before this one
  std::optional<finder::ExactIndex> fresh_before_;  // those that were not swept, if any was
  std::optional<finder::ExactIndex> kept_here_;     // kept in this block
  Numbers kept_in_block_;                           // their numbers
  Numbers fresh_in_block_;                          // those that were not swept
  std::vector<Pair> in_parts_;                      // duplicates kept by earlier parts, in order
  // Found in earlier blocks of this part, by position in this block, ascending.
  std::vector<Numbers> in_blocks_;
  std::size_t taken_ = 0;
  bool was_swept_ = false;  // of the question taken last
  bool found_any_ = false;
  finder::ExactIndex::Scratch scratch_;
};

// What the choice of keepers needs to know about the questions of a group.
refine::KeeperOracle oracle_of(const SignGroups& groups, std::span<const std::uint32_t> group,
                               const Past& past, const refine::DuplicateSettings& settings) {
  const auto number_of = [&groups, group](QuestionId id) -> std::optional<std::uint32_t> {
    const auto id_of = [&](std::uint32_t number) { return groups.rows[number].id; };
    const auto found = std::ranges::lower_bound(group, id, {}, id_of);
    return found != group.end() && id_of(*found) == id ? std::optional(*found) : std::nullopt;
  };
  const auto parts_of = [&groups, number_of](QuestionId id) {
    std::u32string place;
    return refine::Parts{.signs = {}, .han = std::u32string(groups.hans.read(*number_of(id), place))};
  };
  const auto hash_of = [&groups, number_of](QuestionId id) { return groups.rows[*number_of(id)].text_hash; };
  return {[number_of](QuestionId id) { return number_of(id).has_value(); },
          [parts_of, &settings](QuestionId a, QuestionId b) {
            return refine::compare(parts_of(a), parts_of(b), settings).duplicate;
          },
          [hash_of, &past](QuestionId question, QuestionId keeper) {
            return !past.rejected.empty() &&
                   past.is_rejected({question, keeper}, {hash_of(question), hash_of(keeper)});
          }};
}

refine::KeeperChoice decide_group(SignGroups& groups, std::span<const std::uint32_t> group, const Past& past,
                                  const refine::DuplicateSettings& settings, const GroupLimits& limits,
                                  const std::function<void(std::size_t taken)>& moved) {
  std::vector<std::uint32_t> participants;
  std::vector<QuestionId> ids;
  std::vector<refine::Deletion> dependants;
  participants.reserve(group.size());
  ids.reserve(group.size());
  bool any_fresh = false;
  for (const std::uint32_t number : group) {
    SweepRow& row = groups.rows[number];
    if (!past.open.of_question(row.id).empty()) {
      row.swept = false;
      continue;
    }
    participants.push_back(number);
    ids.push_back(row.id);
    any_fresh = any_fresh || !row.swept;
    const auto of_keeper = past.open.of_keeper(row.id);
    dependants.insert(dependants.end(), of_keeper.begin(), of_keeper.end());
  }
  if (!any_fresh || participants.size() < 2) return {};
  KeptInGroup kept(groups, participants, settings, limits, moved);
  return refine::choose_keepers(std::move(ids), dependants, oracle_of(groups, group, past, settings), kept);
}

constexpr std::uint32_t no_signs = std::numeric_limits<std::uint32_t>::max();

}  // namespace

SignGrouping::SignGrouping(std::span<const std::uint64_t> shared, std::size_t questions)
    : shared_(shared), signs_of_group_(shared.size(), no_signs) {
  groups_.rows.reserve(questions);
  groups_.hans.reserve(questions);
  group_of_.reserve(questions);
}

void SignGrouping::add(const SweepRow& row, std::uint64_t fingerprint, const refine::Parts& parts) {
  groups_.rows.push_back(row);
  groups_.hans.add(parts.han);
  group_of_.push_back(group_of(fingerprint, parts.signs));
}

std::uint32_t SignGrouping::group_of(std::uint64_t fingerprint, const std::u32string& signs) {
  const auto group =
      static_cast<std::uint32_t>(std::ranges::lower_bound(shared_, fingerprint) - shared_.begin());
  std::uint32_t& first_signs = signs_of_group_[group];
  if (first_signs == no_signs) {
    first_signs = signs_.add(signs);
    return group;
  }
  std::u32string place;
  if (signs_.read(first_signs, place) == signs) return group;
  const auto next = static_cast<std::uint32_t>(shared_.size() + others_.size());
  return others_.try_emplace({group, signs}, next).first->second;
}

SignGroups SignGrouping::finish() && {
  std::vector<std::uint32_t>& begins = groups_.group_begins;
  begins.assign(shared_.size() + others_.size() + 1, 0);
  for (const std::uint32_t group : group_of_) ++begins[group + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  groups_.grouped.resize(group_of_.size());
  for (std::uint32_t number = 0; number < group_of_.size(); ++number) {
    groups_.grouped[next[group_of_[number]]++] = number;
  }
  return std::move(groups_);
}

refine::KeeperChoice decide_groups(SignGroups& groups, const Past& past,
                                   const refine::DuplicateSettings& settings, const GroupLimits& limits,
                                   const std::function<void(std::size_t questions)>& moved) {
  GroupLimits alone = limits;
  alone.threads = 1;
  alone.share = miner::one_by_one;
  refine::KeeperChoice all;
  for (std::size_t next = 0; next < groups.size();) {
    const std::size_t decided = groups.group_begins[next];
    if (groups.group(next).size() >= limits.large_group) {
      all.append(decide_group(groups, groups.group(next++), past, settings, limits,
                              [&](std::size_t taken) { moved(decided + taken); }));
      continue;
    }
    const std::size_t first = next;
    for (std::size_t questions = 0; next < groups.size() && questions < limits.large_group; ++next) {
      if (groups.group(next).size() >= limits.large_group) break;
      questions += groups.group(next).size();
    }
    std::vector<refine::KeeperChoice> choices(next - first);
    limits.share(choices.size(), [&](std::size_t i) {
      choices[i] = decide_group(groups, groups.group(first + i), past, settings, alone, [](std::size_t) {});
    });
    for (refine::KeeperChoice& choice : choices) all.append(std::move(choice));
    moved(groups.group_begins[next]);
  }
  return all;
}

}  // namespace qdedup::engine
