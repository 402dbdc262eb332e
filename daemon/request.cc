#include "daemon/request.h"

#include <algorithm>

#include "daemon/ascii.h"

namespace qdedup::daemon {
const std::string* Request::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [name](const Header& header) {
    return equal_in_any_case(header.first, name);
  });
  return found == headers.end() ? nullptr : &found->second;
}

const std::string* Request::parameter(std::string_view name) const {
  const auto found =
      std::find_if(query.begin(), query.end(), [name](const auto& pair) { return pair.first == name; });
  return found == query.end() ? nullptr : &found->second;
}

}  // namespace qdedup::daemon
