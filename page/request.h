#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "db/deletions.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"

namespace qdedup::page {

// 400 for what makes no sense, 404 for what is not there; 500 where asking again does not help, 503 where it
// may.
unsigned http_status(ErrorCode code);

// Of an error of opening the state: what is away is not what somebody asked for.
Error state_trouble(Error error);

// Not to be shared by threads.
struct Databases {
  db::Store store;
  db::Bank bank;

  static Result<Databases> open(const db::StateFolder& folder);  // for reading
};

// What the page gets: JSON, under a status of HTTP.
struct Reply {
  Reply(unsigned http_status, const Json& body);

  // {"error":"<message>"}
  Reply(const Error& error);  // NOLINT: implicit, so that functions return errors as replies

  unsigned status;
  std::string json;
  std::string done;  // what was changed, for the journal; empty: nothing
};

// The databases, and how pairs are shown.
struct Reading : Databases {
  refine::CharacterCounts characters;  // of the bank
  refine::ContrastSettings contrast;   // with the weights in force
  bool draws = false;     // the texts of the bank were read as markup, so that they are to be drawn
  std::string image_url;  // of pictures, with "{name}" in it; empty for none

  static Result<Reading> open(const db::StateFolder& folder, const refine::ContrastSettings& contrast,
                              const std::string& image_url = {});
};

// The parameters of a request, decoded, in order.
using Parameters = std::vector<std::pair<std::string, std::string>>;

// The deletions to show: status (default pending), iteration, confidence, reason, risk (the
// highest, "0.01"), similarity=LOW-HIGH in whole percent, question (an id). Other parameters are ignored.
// ErrorCode::usage for an invalid value.
Result<db::DeletionFilter> filter_of(const Parameters& parameters);

// order=risk, the default, keeper, similarity, size or length.
Result<db::QueueOrder> order_of(const Parameters& parameters);

// A place in the queue: KEY-KEEPER-QUESTION ("123-2-9"); that before all where the parameter is not there.
Result<db::QueuePlace> place_of(const Parameters& parameters, std::string_view name);

// A parameter as it stands; empty where it is not there.
std::string text_of(const Parameters& parameters, std::string_view name);

// A parameter that is a whole number from `min` to `max`; `otherwise` where it is not there.
Result<std::int64_t> number_of(const Parameters& parameters, std::string_view name, std::int64_t min,
                               std::int64_t max, std::int64_t otherwise);

// read_json() of base/json.h for a body; ErrorCode::usage for anything that does not fit.
Status read_body(std::string_view body, const std::function<void(const nlohmann::json& json)>& read);

// An id: a string of digits, as ids may be beyond JavaScript's numbers. 0, which no question has, for others.
QuestionId id_field(const nlohmann::json& json, const char* name);

// A whole number from `min` on. Both throw what read_body() takes for a body that does not fit.
std::int64_t number_field(const nlohmann::json& json, const char* name, std::int64_t min);

// The note, which may be missing (base/user_name.h).
std::string note_field(const nlohmann::json& json);

}  // namespace qdedup::page
