#include "base/line_totals.h"

namespace qdedup {

std::uint64_t LineTotals::rejected_total() const {
  std::uint64_t total = 0;
  for (const auto& [reason, count] : rejected) total += count;
  return total;
}

bool LineTotals::is_wrong_file() const {
  const auto blank = rejected.find("blank");
  const bool has_others = lines > (blank == rejected.end() ? 0 : blank->second);
  return lines > 1 && has_others && rejected_total() == lines;
}

LineTotals& LineTotals::operator+=(const LineTotals& other) {
  lines += other.lines;
  selected += other.selected;
  unselected += other.unselected;
  for (const auto& [reason, count] : other.rejected) rejected[reason] += count;
  nul_bytes += other.nul_bytes;
  return *this;
}

}  // namespace qdedup
