#include "refine/alignment.h"

#include <algorithm>
#include <cstdint>

#include "refine/common_affixes.h"

namespace qdedup::refine {
namespace {

// A run of code points that both texts have.
struct Run {
  std::size_t a;
  std::size_t b;
  std::size_t length;
};

// How far edit scripts reach. Row d, entry i is how much of `a` a script with i deletions and d - i
// insertions covers at most, together with all matches that follow its last edit. It covers d - 2i more of
// `b`.
class ReachTable {
 public:
  ReachTable(std::u32string_view a, std::u32string_view b) : a_(a), b_(b) {}

  // Adds rows up to the one that covers both texts. Returns whether that is at most row `max_differences`.
  bool extend(std::size_t max_differences) {
    for (std::size_t d = 0; d <= max_differences; ++d) {
      for (std::size_t i = 0; i <= d; ++i) {
        const std::size_t reached = skip_matches(start(d, i), d, i);
        reach_.push_back(static_cast<std::uint32_t>(reached));
        if (reached >= a_.size() && b_position(reached, d, i) >= b_.size()) {
          differences_ = d;
          deletions_ = i;
          return true;
        }
      }
    }
    return false;
  }

  // The matches of the script that covers both texts, in order, once extend() has found one.
  [[nodiscard]] std::vector<Run> matches() const {
    std::vector<Run> runs;
    std::size_t i = deletions_;
    for (std::size_t d = differences_; d > 0; --d) {
      const std::size_t begin = start(d, i);
      const std::size_t length = reach(d, i) - begin;
      if (length > 0) runs.push_back({begin, b_position(begin, d, i), length});
      if (ends_with_deletion(d, i)) --i;
    }
    std::ranges::reverse(runs);
    return runs;
  }

 private:
  [[nodiscard]] std::size_t reach(std::size_t d, std::size_t i) const { return reach_[d * (d + 1) / 2 + i]; }

  static std::size_t b_position(std::size_t a_position, std::size_t d, std::size_t i) {
    return a_position + d - 2 * i;
  }

  // Is a deletion the last edit of the script that reaches furthest? Where both reach as far it is an
  // insertion, so that deletions come before insertions.
  [[nodiscard]] bool ends_with_deletion(std::size_t d, std::size_t i) const {
    if (i == 0 || i == d) return i == d;
    return reach(d - 1, i - 1) + 1 > reach(d - 1, i);
  }

  // What the script covers of `a` with its last edit, and without the matches that follow.
  [[nodiscard]] std::size_t start(std::size_t d, std::size_t i) const {
    if (d == 0) return 0;
    return ends_with_deletion(d, i) ? reach(d - 1, i - 1) + 1 : reach(d - 1, i);
  }

  [[nodiscard]] std::size_t skip_matches(std::size_t a_position, std::size_t d, std::size_t i) const {
    std::size_t b = b_position(a_position, d, i);
    while (a_position < a_.size() && b < b_.size() && a_[a_position] == b_[b]) {
      ++a_position;
      ++b;
    }
    return a_position;
  }

  std::u32string_view a_;
  std::u32string_view b_;
  std::vector<std::uint32_t> reach_;
  std::size_t differences_ = 0;
  std::size_t deletions_ = 0;
};

// The matches between two texts that neither start nor end alike; none where they differ too much.
std::vector<Run> matches_between(std::u32string_view a, std::u32string_view b, std::size_t max_differences) {
  if (a.empty() || b.empty()) return {};
  ReachTable table(a, b);
  return table.extend(max_differences) ? table.matches() : std::vector<Run>();
}

// Puts stretches that differ between the runs.
std::vector<AlignedStretch> stretches_between(const std::vector<Run>& runs) {
  std::vector<AlignedStretch> stretches;
  std::size_t a = 0;
  std::size_t b = 0;
  for (const Run& run : runs) {
    if (run.a > a || run.b > b) stretches.push_back({false, a, run.a, b, run.b});
    a = run.a + run.length;
    b = run.b + run.length;
    if (run.length > 0) stretches.push_back({true, run.a, a, run.b, b});
  }
  return stretches;
}

}  // namespace

std::vector<AlignedStretch> align(std::u32string_view a, std::u32string_view b, std::size_t max_differences) {
  const CommonAffixes affixes = common_affixes(a, b);
  std::vector<Run> runs{{0, 0, affixes.prefix}};
  for (const Run& run :
       matches_between(without_affixes(a, affixes), without_affixes(b, affixes), max_differences)) {
    runs.push_back({run.a + affixes.prefix, run.b + affixes.prefix, run.length});
  }
  runs.push_back({a.size() - affixes.suffix, b.size() - affixes.suffix, affixes.suffix});
  return stretches_between(runs);
}

}  // namespace qdedup::refine
