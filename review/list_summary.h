#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "review/deletion_list.h"

namespace qdedup::review {

// What a whole deletion list adds up to.
struct ListSummary {
  std::uint64_t entries = 0;
  std::array<std::uint64_t, 101> similarity{};  // [p]: at least p and less than p + 1 percent similar
  std::map<std::string, std::map<std::string, std::uint64_t>> statuses;  // by confidence, then by status

  void add(const DeletionEntry& entry);

  // Of all entries with this confidence, and with this status.
  [[nodiscard]] std::uint64_t with_confidence(const std::string& confidence) const;
  [[nodiscard]] std::uint64_t with_status(const std::string& status) const;
};

// Runs through `entries` to the end.
Result<ListSummary> summarise(const DeletionStream& entries);

}  // namespace qdedup::review
