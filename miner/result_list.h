#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "miner/json_cursor.h"

namespace qdedup::miner {

// One hit of a search: a question and how well it matched. `score` is finite.
struct ScoredId {
  QuestionId id;
  double score;

  friend bool operator==(const ScoredId&, const ScoredId&) = default;
};

// Why a log line contains no result list. Each rejected line has one reason, found in two steps.
//   1. Is the line JSON? The first byte that does not fit decides, whatever follows.
//   2. If so, does it contain a list of hits? The first invalid hit decides: its shape, its id, its score.
// LineFormat::embedded has only blank, too_long and no_results.
enum class Rejection : std::uint8_t {
  blank,     // only white space, or nothing at all
  too_long,  // longer than the line limit: detected when the log is cut into lines

  // Step 1: the byte that does not fit …
  too_deep,       // … opens one level of nesting too many
  nul_byte,       // … is NUL
  bad_utf8,       // … or an earlier one does not belong to a well-formed UTF-8 sequence
  bad_json,       // … is anything else; or the line ends too early
  trailing_data,  // … comes after a complete value

  // Step 2.
  no_results,  // format "object": no value at the pointer; "embedded": no list in the line
  not_a_list,  // the value is not an array
  bad_pair,    // an element of it is not an array of exactly two values, or has nothing at the pointers
  bad_id,      // its id is not an integer from 1 to 2^63-1
  bad_score,   // its score is not a number, or too large for a double
};

inline constexpr std::size_t rejection_count = 12;

// The name that is stored, counted and shown: "bad_id". Valid for the life of the program.
std::string_view name(Rejection rejection);

// Both skip white space and read the number that follows. After false, the cursor may be anywhere.

// Reads an integer from 1 to 2^63-1, exactly. Stops after its digits; the caller must reject what may follow
// (".5", "e3").
[[nodiscard]] bool read_id(JsonCursor& cursor, QuestionId& id);

// Reads any JSON number as the nearest double; fails if it is too large for a double.
[[nodiscard]] bool read_score(JsonCursor& cursor, double& score);

// Reads pairs written in the plain form, [1380777178,0.306],[1589879284,0.303], with or without a space after
// the comma between them, and appends them: ids of up to 15 digits, scores of one digit, a point and up to
// five decimals. Nearly all lists consist of these, and they are read in words of eight bytes. Stops before
// the first comma that no plain pair follows. False, and no change, if the cursor is not at a plain pair.
// read_id and read_score accept whatever this accepts, with the same values.
[[nodiscard]] bool read_plain_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs);

// The format of a list's hits.
struct HitShape {
  // JSON pointers to the id and the score of a hit, as tokens. If both are empty, a hit is a pair [id,
  // score].
  std::vector<std::string> id;
  std::vector<std::string> score;
  bool quoted_numbers = false;  // ids and scores may be strings that contain just a number

  [[nodiscard]] bool are_pairs() const { return id.empty() && score.empty(); }
};

// Reads a list of hits and appends them. Returns true for exactly the valid lists, provided that the value at
// the cursor is valid JSON or the hits are pairs; the cursor is then after the list. After false, cursor and
// `hits` are unspecified.
[[nodiscard]] bool read_hits(JsonCursor& cursor, const HitShape& shape, std::vector<ScoredId>& hits);

// Why read_hits rejects the value at the cursor, which must be valid JSON. The first invalid hit determines
// the reason; within it bad_pair takes precedence over bad_id, and that over bad_score.
[[nodiscard]] Rejection fault_of_hits(JsonCursor cursor, const HitShape& shape);

}  // namespace qdedup::miner
