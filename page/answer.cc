#include "page/answer.h"

#include <nlohmann/json.hpp>

namespace qdedup::page {
namespace {

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 400;
    case ErrorCode::no_input:
      return 404;
    case ErrorCode::busy:
      return 503;
    default:
      return 500;
  }
}

}  // namespace

Answer refusal(const Error& error) {
  const nlohmann::json json = {{"error", error.message}};
  return {status_of(error.code), json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

}  // namespace qdedup::page
