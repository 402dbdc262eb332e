#include "review/list_summary.h"

#include <algorithm>
#include <utility>

#include "review/percentage.h"

namespace qdedup::review {

void ListSummary::add(const DeletionEntry& entry) {
  ++entries;
  const auto common = entry.length - std::min(entry.distance, entry.length);
  ++similarity.at(whole_percent(common, entry.length));
  ++statuses[entry.confidence][entry.status];
}

std::uint64_t ListSummary::with_confidence(const std::string& confidence) const {
  const auto found = statuses.find(confidence);
  if (found == statuses.end()) return 0;
  std::uint64_t sum = 0;
  for (const auto& [status, count] : found->second) sum += count;
  return sum;
}

std::uint64_t ListSummary::with_status(const std::string& status) const {
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
    auto more = entries(entry);
    if (!more.ok()) return std::move(more).error();
    if (!*more) return summary;
    summary.add(entry);
  }
}

}  // namespace qdedup::review
