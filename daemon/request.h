#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace qdedup::daemon {

enum class Method { get, post };

using Header = std::pair<std::string, std::string>;

// Who sent a request: a local process over the unix socket, or a bearer of the token over TCP.
struct Peer {
  enum class Kind { unix_socket, tcp };
  Kind kind = Kind::tcp;
  uid_t user = static_cast<uid_t>(-1);  // of the process at the other end; unix socket only
};

// One whole request, as a handler gets it. HEAD comes as `get`; the server leaves the body of its answer
// away.
struct Request {
  Method method = Method::get;
  std::string path;                                        // decoded: "/api/status"
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order
  std::vector<Header> headers;                             // as they came
  std::string body;
  std::vector<FileDescriptor> descriptors;  // that came with it, in order
  Peer peer;

  // The first header of that name (in any case), or the first value of that name in the query; null: none.
  [[nodiscard]] const std::string* header(std::string_view name) const;
  [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

}  // namespace qdedup::daemon
