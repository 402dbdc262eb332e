#include "base/error.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace qdedup {

Error Error::within(std::string_view context) && {
  return {code, std::string(context) + ": " + std::move(message)};
}

Error errno_error(std::string_view subject, int errno_value) {
  const bool no_input = errno_value == ENOENT || errno_value == ENOTDIR || errno_value == EACCES ||
                        errno_value == EISDIR || errno_value == ELOOP || errno_value == ENAMETOOLONG;
  const std::string reason = std::generic_category().message(errno_value);
  return {no_input ? ErrorCode::no_input : ErrorCode::io, std::string(subject) + ": " + reason};
}

}  // namespace qdedup
