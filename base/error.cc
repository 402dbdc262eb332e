#include "base/error.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/sudden_end.h"

namespace qdedup {

Error Error::within(std::string_view context) && {
  return {code, std::string(context) + ": " + std::move(message)};
}

Error errno_error(std::string_view subject, int errno_value) {
  const bool no_input = errno_value == ENOENT || errno_value == ENOTDIR || errno_value == EACCES ||
                        errno_value == EISDIR || errno_value == ELOOP || errno_value == ENAMETOOLONG;
  const bool none_left = errno_value == EMFILE || errno_value == ENFILE;
  const std::string reason = std::generic_category().message(errno_value);
  const ErrorCode code = no_input ? ErrorCode::no_input : none_left ? ErrorCode::busy : ErrorCode::io;
  return {code, std::string(subject) + ": " + reason};
}

Error cannot_create(std::string_view subject, int errno_value) {
  return {ErrorCode::cannot_create, errno_error(subject, errno_value).message};
}

Error exception_error(const std::exception& exception) {
  if (const char* shortage = shortage_of(exception)) return {ErrorCode::busy, shortage};
  return {ErrorCode::internal, std::string("internal error: ") + exception.what()};
}

}  // namespace qdedup
