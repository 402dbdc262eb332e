// What is to be checked: valid JSON, and no more questions than are answered at once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "page/question_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto request = qdedup::page::parse_check_request(body);
  if (!request.ok()) return 0;
  if (!nlohmann::json::accept(body) || request->questions.size() > qdedup::page::max_questions_per_check) {
    std::abort();
  }
  return 0;
}
