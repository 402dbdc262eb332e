#include "base/error.h"

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

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

Error exception_error(const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) {
    return {ErrorCode::busy,
            "out of memory; nothing that was committed is lost. Raise its limit (ulimit -v, MemoryMax=), or "
            "lower memory_mb in the config"};
  }
  const auto* const system = dynamic_cast<const std::system_error*>(&exception);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
    return {ErrorCode::busy,
            "no more threads can be had; nothing that was committed is lost. Raise the limit of processes "
            "(ulimit -u, TasksMax=) or of memory (ulimit -v, MemoryMax=), or lower threads in the config"};
  }
  return {ErrorCode::internal, std::string("internal error: ") + exception.what()};
}

}  // namespace qdedup
