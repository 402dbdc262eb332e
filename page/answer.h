#pragma once

#include <string>

#include "base/error.h"

namespace qdedup::page {

// What the page gets: JSON, under a status of HTTP.
struct Answer {
  unsigned status = 200;
  std::string json;
};

// {"error":"<message>"}: 400 for what makes no sense, 404 for what is not there, 503 for what is busy, 500.
Answer refusal(const Error& error);

}  // namespace qdedup::page
