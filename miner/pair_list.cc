#include "miner/pair_list.h"

#include <optional>
#include <vector>

#include "miner/json_number.h"
#include "miner/plain_pairs.h"

namespace qdedup::miner {
namespace {

bool read_pair(JsonCursor& cursor, ScoredId& pair) {
  return cursor.take('[') && read_id(cursor, pair.id) && cursor.take(',') && read_score(cursor, pair.score) &&
         cursor.take(']');
}

bool is_id(JsonCursor element) {
  QuestionId id = 0;
  return read_id(element, id) && element.take(',');
}

bool is_score(JsonCursor element) {
  double score = 0;
  return read_score(element, score) && element.take(']');
}

// Passes over a pair, or says what is wrong with it.
std::optional<Rejection> skip_pair(JsonCursor& cursor) {
  if (!cursor.take('[')) return Rejection::bad_pair;
  const JsonCursor id = cursor;
  if (!cursor.skip_value() || !cursor.take(',')) return Rejection::bad_pair;
  const JsonCursor score = cursor;
  if (!cursor.skip_value() || !cursor.take(']')) return Rejection::bad_pair;
  if (!is_id(id)) return Rejection::bad_id;
  if (!is_score(score)) return Rejection::bad_score;
  return std::nullopt;
}

}  // namespace

bool read_pairs(JsonCursor& cursor, std::vector<ScoredId>& pairs) {
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return true;
  do {
    if (read_plain_pairs(cursor, pairs)) continue;
    ScoredId pair{};
    if (!read_pair(cursor, pair)) return false;
    pairs.push_back(pair);
  } while (cursor.take(','));
  return cursor.take(']');
}

Rejection fault_of_pairs(JsonCursor cursor) {
  if (!cursor.take('[')) return Rejection::not_a_list;
  std::optional<Rejection> fault;
  while (!(fault = skip_pair(cursor))) cursor.take(',');
  return *fault;
}

}  // namespace qdedup::miner
