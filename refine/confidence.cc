#include "refine/confidence.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/containers.h"
#include "base/value_names.h"

namespace qdedup::refine {
namespace {

constexpr ValueNames<Confidence, 2> confidence_names = {
    {{Confidence::doubtful, "doubtful"}, {Confidence::safe, "safe"}}};

}  // namespace

std::string_view name(Confidence confidence) { return name_in(confidence_names, confidence); }

std::optional<Confidence> confidence_named(std::string_view name) { return value_in(confidence_names, name); }

std::string text_of(Risk risk) {
  std::string digits = std::to_string(Risk::certain + risk.ten_thousandths());  // "10123", "20000"
  digits.front() = static_cast<char>(digits.front() - 1);
  return digits.insert(1, ".");
}

std::optional<Risk> parse_risk(std::string_view text) {
  constexpr std::size_t longest = std::string_view("0.0000").size();
  if (text.empty() || text.size() == 2 || text.size() > longest) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < longest; ++i) {
    if (i == 1) {
      if (text.size() > 1 && text[1] != '.') return std::nullopt;
      continue;
    }
    const char digit = i < text.size() ? text[i] : '0';
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  if (value > Risk::certain) return std::nullopt;
  return Risk(value);
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
    const std::string_view reason = take_until(rest, ';');
    if (!reason.empty()) reasons.push_back(reason);
  }
  return reasons;
}

std::vector<std::string_view> Reasons::names() const {
  std::vector<std::string_view> names = all();
  std::ranges::transform(names, names.begin(), reason_name);
  sort_unique(names);
  return names;
}

std::string_view reason_name(std::string_view reason) { return reason.substr(0, reason.find(':')); }

bool ApprovalPolicy::approves(Confidence confidence, const Reasons& reasons, Risk risk) const {
  if (!highest_risk || confidence != Confidence::safe || risk > *highest_risk) return false;
  return std::ranges::none_of(reasons.all(), [](std::string_view reason) {
    return reason == "needs-figure" || reason == "too-short";
  });
}

}  // namespace qdedup::refine
