#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace qdedup::config {

// How many deletions one iteration may list before people are to look at it first.
struct DeletionLimit {
  enum class Kind : std::uint8_t { none, count, share };

  Kind kind = Kind::none;
  std::uint64_t value = 0;  // of a share: hundredths of a percent of the bank

  // Are these too many, with so many questions in the bank?
  [[nodiscard]] bool exceeded_by(std::uint64_t deletions, std::uint64_t questions) const;

  friend bool operator==(const DeletionLimit&, const DeletionLimit&) = default;
};

// "none", or a share of the bank with two decimals at most: "5%", "0.25%". Counts are numbers in the config.
Result<DeletionLimit> parse_deletion_limit(std::string_view text);

// Back again: "none", "500", "5%".
std::string text_of(const DeletionLimit& limit);

}  // namespace qdedup::config
