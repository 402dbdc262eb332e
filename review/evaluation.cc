#include "review/evaluation.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "review/percentage.h"

namespace qdedup::review {
namespace {

std::optional<std::uint64_t> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return hundredths_of_percent(part, whole);
}

std::uint64_t total(const ConfidenceCounts& counts) { return counts.safe + counts.doubtful; }

void append_first(std::vector<Evaluation::Miss> misses, std::size_t most,
                  std::vector<Evaluation::Miss>& list) {
  std::ranges::sort(misses, {}, [](const Evaluation::Miss& miss) {
    return std::tuple(miss.pair.small_id, miss.pair.large_id);
  });
  misses.resize(std::min(most, misses.size()));
  std::ranges::move(misses, std::back_inserter(list));
}

}  // namespace

void ConfidenceTable::add(PairLabel label, refine::Confidence confidence) {
  ConfidenceCounts& counts = counts_[static_cast<std::size_t>(label)];
  ++(confidence == refine::Confidence::safe ? counts.safe : counts.doubtful);
}

std::optional<std::uint64_t> ConfidenceTable::precision_of_safe() const {
  const std::uint64_t same = of(PairLabel::same).safe;
  return share(same, same + of(PairLabel::different).safe);
}

std::optional<std::uint64_t> ConfidenceTable::precision_of_rule() const {
  const std::uint64_t same = total(of(PairLabel::same));
  return share(same, same + total(of(PairLabel::different)));
}

std::optional<std::uint64_t> ConfidenceTable::same_kept_safe() const {
  return share(of(PairLabel::same).safe, total(of(PairLabel::same)));
}

void Evaluation::add(const LabelledPair& pair, const refine::Contrast& contrast) {
  all_.add(pair.label, contrast.confidence);
  subjects_[pair.subject].add(pair.label, contrast.confidence);
  std::set<std::string> kinds;
  for (const refine::Finding& reason : contrast.reasons) kinds.insert(reason.kind);
  for (const std::string& kind : kinds) ++reasons_[kind][static_cast<std::size_t>(pair.label)];

  const bool safe = contrast.confidence == refine::Confidence::safe;
  const bool should_doubt = pair.label == PairLabel::different || pair.label == PairLabel::reordered;
  if (safe && should_doubt) wrongly_safe_.push_back({pair, ""});
  if (!safe && pair.label == PairLabel::same) {
    wrongly_doubtful_.push_back({pair, refine::joined_reasons(contrast)});
  }
}

std::vector<Evaluation::Miss> Evaluation::worst(std::size_t most) const {
  std::vector<Miss> list;
  append_first(wrongly_safe_, most, list);
  append_first(wrongly_doubtful_, most, list);
  return list;
}

}  // namespace qdedup::review
