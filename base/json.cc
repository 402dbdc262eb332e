#include "base/json.h"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace qdedup {

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

nlohmann::json parse_json(std::string_view text) {
  using Event = nlohmann::json::parse_event_t;
  std::size_t values = 0;
  const auto has_room = [&](int, Event event, const nlohmann::json&) {
    if (event != Event::object_end && event != Event::array_end) ++values;
    return values <= max_json_values;
  };
  nlohmann::json json = nlohmann::json::parse(text, has_room, false);
  return values <= max_json_values ? json : nlohmann::json(nlohmann::json::value_t::discarded);
}

Status read_json(std::string_view text, const std::function<void(const nlohmann::json& json)>& read) {
  const nlohmann::json json = parse_json(text);
  if (json.is_discarded()) return Error{ErrorCode::data, "is no JSON, or has more than a million values"};
  try {
    read(json);
    return {};
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::data, exception.what()};
  } catch (const std::invalid_argument& exception) {
    return Error{ErrorCode::data, exception.what()};
  }
}

Json parse_own_json(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace qdedup
