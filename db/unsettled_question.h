#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/question_id.h"

namespace qdedup::db {

// A question one of whose verified pairs came or went, and why.
struct UnsettledQuestion {
  QuestionId question = 0;
  std::string_view reason;                              // is to outlive the settling
  std::optional<std::int64_t> decision = std::nullopt;  // of the audit, that did it
  std::optional<QuestionId> only_pair = std::nullopt;   // if it was in no class: with whom its only pair is
};

}  // namespace qdedup::db
