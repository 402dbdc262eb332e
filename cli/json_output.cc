#include "cli/json_output.h"

#include <iostream>

#include <nlohmann/json.hpp>

namespace qdedup::cli {

void print_json(const nlohmann::ordered_json& json) {
  std::cout << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace qdedup::cli
