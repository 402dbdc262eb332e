#include "page/facets.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace qdedup::page {
namespace {

std::vector<std::string_view> parts_of(std::string_view reasons) {
  std::vector<std::string_view> parts;
  while (!reasons.empty()) {
    const std::size_t end = std::min(reasons.find(';'), reasons.size());
    if (end > 0) parts.push_back(reasons.substr(0, end));
    reasons.remove_prefix(std::min(end + 1, reasons.size()));
  }
  return parts;
}

// "polarity" of "polarity:多/少".
std::string_view name_of(std::string_view reason) { return reason.substr(0, reason.find(':')); }

// In which respects a tally passes the filter.
struct Fit {
  bool iteration;
  bool confidence;
  bool reason;
  bool similarity;
};

Fit fit(const db::DeletionTally& tally, const std::vector<std::string_view>& reasons,
        const db::DeletionFilter& filter) {
  const auto is_wanted = [&filter](std::string_view reason) {
    return reason == filter.reason || name_of(reason) == filter.reason;
  };
  return {
      .iteration = !filter.iteration || *filter.iteration == tally.iteration,
      .confidence = filter.confidence.empty() || filter.confidence == tally.confidence,
      .reason = filter.reason.empty() || std::ranges::any_of(reasons, is_wanted),
      .similarity = tally.similarity >= filter.min_similarity && tally.similarity <= filter.max_similarity};
}

void count_reasons(const std::vector<std::string_view>& reasons, std::uint64_t deletions, Facets& facets) {
  std::set<std::string_view> names;
  for (const std::string_view reason : reasons) {
    names.insert(name_of(reason));
    if (name_of(reason) != reason) facets.subjects[std::string(reason)] += deletions;
  }
  for (const std::string_view name : names) facets.reasons[std::string(name)] += deletions;
}

}  // namespace

Facets facets_of(std::span<const db::DeletionTally> tallies, const db::DeletionFilter& filter) {
  Facets facets;
  for (const db::DeletionTally& tally : tallies) {
    const std::vector<std::string_view> reasons = parts_of(tally.reasons);
    const Fit fits = fit(tally, reasons, filter);
    const std::uint64_t count = tally.deletions;
    if (fits.confidence && fits.reason && fits.similarity) facets.iterations[tally.iteration] += count;
    if (fits.iteration && fits.reason && fits.similarity) facets.confidences[tally.confidence] += count;
    if (fits.iteration && fits.confidence && fits.similarity) count_reasons(reasons, count, facets);
    if (fits.iteration && fits.confidence && fits.reason) {
      facets.similarity.at(static_cast<std::size_t>(std::clamp(tally.similarity, 0, 100))) += count;
    }
    if (fits.iteration && fits.confidence && fits.reason && fits.similarity) facets.total += count;
  }
  return facets;
}

}  // namespace qdedup::page
