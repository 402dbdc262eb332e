#include "base/json.h"

#include <nlohmann/json.hpp>

namespace qdedup {

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

Json parse_own_json(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace qdedup
