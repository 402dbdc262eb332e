#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::daemon {

// What a request asks for, with its %-escapes decoded.
struct RequestTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;  // in order; '+' is a space

  // None for whatever could mean something else than it says: a target that does not begin with '/' (a whole
  // URL, "*"), has a space, a control character, '#' or a byte beyond ASCII, or an escape that is cut, or
  // stands for a NUL or for bytes that are not UTF-8; for a path with an escaped '/', a backslash, another
  // control character, an empty segment before the last, or a segment "." or "..".
  static std::optional<RequestTarget> parse(std::string_view target);
};

}  // namespace qdedup::daemon
