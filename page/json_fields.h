#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/question_id.h"
#include "base/result.h"

namespace qdedup::page {

// Reads a body of JSON with `read`, which may throw what the library throws. ErrorCode::usage for anything
// that does not fit.
template <class Value, class Read>
Result<Value> parsed(std::string_view body, Read read) {
  try {
    return Result<Value>(read(nlohmann::json::parse(body)));
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::usage, std::string("the body does not fit: ") + exception.what()};
  }
}

// An id: a string of digits, as ids may be beyond JavaScript's numbers. 0, which no question has, for others.
inline QuestionId id_field(const nlohmann::json& json, const char* name) {
  const std::string text = json.at(name).get<std::string>();
  QuestionId id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && end == text.data() + text.size() ? id : 0;
}

}  // namespace qdedup::page
