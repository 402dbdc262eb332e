#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/question_id.h"
#include "base/result.h"
#include "refine/contrast.h"

namespace qdedup::review {

// One line of a deletion list (doc/formats.md, "Deletion list").
struct DeletionEntry {
  std::int64_t iteration = 0;
  QuestionId delete_id = 0;
  QuestionId keep_id = 0;
  std::uint64_t distance = 0;
  std::uint64_t length = 0;
  std::string confidence;  // "safe" or "doubtful"
  std::string reasons;     // joined by ';'
  std::string status;      // "pending", "approved", "rejected", "applied", "withdrawn"
  std::string note;
  std::string delete_text;  // UTF-8; empty when the question has no text, or left the bank
  std::string keep_text;
  std::optional<std::string> delete_answer;  // as imported
  std::optional<std::string> keep_answer;
  refine::Contrast contrast;  // in what the texts differ; empty unless the stream was asked for it
};

// Hands out the entries of a list one by one, by delete_id ascending: fills `entry` and says true, or false
// at the end. Lists can be of millions of entries; whoever takes them keeps none.
using DeletionStream = std::function<Result<bool>(DeletionEntry& entry)>;

// The similarity as a percentage with two decimals, rounded half up: "80.00". Two empty Han parts: "100.00".
std::string similarity_percent(std::uint64_t distance, std::uint64_t length);

}  // namespace qdedup::review
