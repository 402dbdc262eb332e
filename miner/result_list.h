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

// Why a log line holds no result list. Each rejected line has one reason, found in two steps.
// 1. Is the line JSON? The first byte that does not fit decides, whatever comes after it.
// 2. If so, does it hold a list of hits? The first hit at fault decides: its shape, its id, its score.
// Of LineFormat::embedded there are only blank, too_long and no_results.
enum class Rejection : std::uint8_t {
  blank,     // nothing but white space, or nothing at all
  too_long,  // longer than the line limit: found by whoever cuts the log into lines

  // Step 1: the byte that does not fit …
  too_deep,       // … opens one level of nesting too many
  nul_byte,       // … is NUL
  bad_utf8,       // … or one before it is part of no well-formed UTF-8 sequence
  bad_json,       // … is something else; or the line ends too early
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

// Both pass over white space and read the number that follows. After false the cursor may stand anywhere.

// Reads an integer from 1 to 2^63-1, exactly. Stops after its digits: what follows (".5", "e3") is for the
// caller to refuse.
[[nodiscard]] bool read_id(JsonCursor& cursor, QuestionId& id);

// Reads any JSON number as the nearest double; one that is too large for a double is refused.
[[nodiscard]] bool read_score(JsonCursor& cursor, double& score);

// Reads pairs that are written in the plain way, [1380777178,0.306],[1589879284,0.303] or with one space
// after the comma between them, and appends them: ids of up to 15 digits, scores of one digit, a point and
// up to five decimals. This is what nearly all lists consist of, and is read a word of eight bytes at a time.
// Stops in front of the first comma that no plain pair follows. False, and nothing happens, where the cursor
// does not stand at a plain pair. What it accepts, read_id and read_score accept with the same values.
[[nodiscard]] bool read_plain_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs);

// What the hits of a list look like.
struct HitShape {
  // Where a hit has its id and its score, as tokens of JSON pointers. Both empty: it is a pair [id, score].
  std::vector<std::string> id;
  std::vector<std::string> score;
  bool quoted_numbers = false;  // ids and scores may be strings that hold a number and nothing else

  [[nodiscard]] bool are_pairs() const { return id.empty() && score.empty(); }
};

// Reads a list of hits and appends them. True for exactly the valid lists, where the value at the cursor is
// valid JSON or the hits are pairs; then the cursor stands after the list. After false, cursor and `hits` may
// be anything.
[[nodiscard]] bool read_hits(JsonCursor& cursor, const HitShape& shape, std::vector<ScoredId>& hits);

// Why read_hits refuses the value at the cursor, which must be valid JSON. It is the first hit at fault
// that counts, and in it bad_pair before bad_id before bad_score.
[[nodiscard]] Rejection fault_of_hits(JsonCursor cursor, const HitShape& shape);

}  // namespace qdedup::miner
