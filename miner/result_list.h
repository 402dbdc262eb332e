#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/question_id.h"

namespace qdedup::miner {

// One hit of a search: a question and how well it matched. `score` is finite.
struct ScoredId {
  QuestionId id;
  double score;

  friend bool operator==(const ScoredId&, const ScoredId&) = default;
};

// Why a log line holds no result list. Each rejected line has one reason, found in two steps.
// 1. Is the line JSON? The first byte that does not fit decides, whatever stands behind it.
// 2. If so, does it hold a list of pairs? The first pair at fault decides: its shape, its id, its score.
enum class Rejection : std::uint8_t {
  blank,     // nothing but white space, or nothing at all
  too_long,  // longer than the line limit: told by whoever cuts the log into lines

  // Step 1: the byte that does not fit …
  too_deep,       // … opens one level of nesting too many
  nul_byte,       // … is NUL
  bad_utf8,       // … or one before it is part of no well-formed UTF-8 sequence
  bad_json,       // … is something else; or the line ends too early
  trailing_data,  // … comes after a complete value

  // Step 2.
  no_results,  // format "object": no value at the pointer
  not_a_list,  // the value is not an array
  bad_pair,    // an element of it is not an array of exactly two values
  bad_id,      // the first of them is not an integer from 1 to 2^63-1
  bad_score,   // the second of them is not a number, or too large for a double
};

inline constexpr std::size_t rejection_count = 12;

// The name that is stored, counted and shown: "bad_id". Valid for the life of the program.
std::string_view name(Rejection rejection);

}  // namespace qdedup::miner
