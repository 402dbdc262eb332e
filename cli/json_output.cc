#include "cli/json_output.h"

#include <ostream>

#include <nlohmann/json.hpp>

namespace qdedup::cli {

void print_json(std::ostream& out, const nlohmann::ordered_json& json) {
  out << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace qdedup::cli
