#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qdedup::iteration {

// Finds out which of some things have a partner among them, without looking at all pairs: once two are known
// to have one, whether they are partners of each other does not matter.
class Partners {
 public:
  // By thing: whether one of the others is its partner, by partners(a, b), which is symmetric; asked for each
  // pair once at most. Quadratic, but linear where there are few kinds of things, and all of one kind are
  // partners. What is not found out after `max_looks` and at most 2 * `count` more counts as having one.
  // Holds until it is called again.
  template <class ArePartners>
  const std::vector<bool>& find(std::size_t count, std::uint64_t max_looks, const ArePartners& partners) {
    has_one_.assign(count, false);
    left_.resize(count);
    for (std::size_t thing = 0; thing < count; ++thing) left_[thing] = thing;
    std::uint64_t looks = 0;
    const auto look = [&](std::size_t a, std::size_t b) {
      ++looks;
      return partners(a, b);
    };
    for (std::size_t thing = 0; thing < count && looks < max_looks; ++thing) seek(thing, look);
    for (const std::size_t thing : left_) has_one_[thing] = true;
    return has_one_;
  }

 private:
  // For `thing`, to which those before it were compared. All that are left behind it are looked at, and if
  // none of them is its partner, the others behind it.
  template <class Look>
  void seek(std::size_t thing, const Look& look) {
    bool found = has_one_[thing];
    std::erase_if(left_, [&](std::size_t other) {
      if (other == thing) return true;
      if (!look(thing, other)) return false;
      has_one_[other] = true;
      found = true;
      return true;
    });
    for (std::size_t other = thing + 1; !found && other < has_one_.size(); ++other)
      found = has_one_[other] && look(thing, other);
    has_one_[thing] = found;
  }

  std::vector<bool> has_one_;
  std::vector<std::size_t> left_;  // not sought for yet, and without a partner so far; ascending
};

}  // namespace qdedup::iteration
