#include "refine/confidence.h"

#include <algorithm>
#include <cstddef>

namespace qdedup::refine {

std::string_view name(Confidence confidence) { return confidence == Confidence::safe ? "safe" : "doubtful"; }

std::optional<Confidence> confidence_named(std::string_view name) {
  for (const Confidence confidence : confidences) {
    if (refine::name(confidence) == name) return confidence;
  }
  return std::nullopt;
}

void Reasons::add(std::string_view reason) {
  const std::vector<std::string_view> before = all();
  if (std::ranges::find(before, reason) != before.end()) return;
  if (!text_.empty()) text_ += ';';
  text_ += reason;
}

std::vector<std::string_view> Reasons::all() const {
  std::vector<std::string_view> reasons;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    if (end > 0) reasons.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return reasons;
}

std::string_view reason_name(std::string_view reason) { return reason.substr(0, reason.find(':')); }

}  // namespace qdedup::refine
