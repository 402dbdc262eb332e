#include "base/sudden_end.h"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <system_error>

#include <cxxabi.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

namespace qdedup {
namespace {

constexpr const char* no_memory =
    "out of memory; nothing that was committed is lost. Raise its limit (ulimit -v, MemoryMax=), or "
    "lower memory_mb in the config";
constexpr const char* no_threads =
    "no more threads can be had; nothing that was committed is lost. Raise the limit of processes "
    "(ulimit -u, TasksMax=) or of memory (ulimit -v, MemoryMax=), or lower threads in the config";

constexpr const char* no_descriptors =
    "too many open files; nothing that was committed is lost. Raise the limit (ulimit -n, LimitNOFILE=)";

std::string_view this_program;
std::terminate_handler abort_as_ever = nullptr;

// There is no current exception where none could be thrown for lack of memory.
const char* shortage_of_current() noexcept {
  if (abi::__cxa_current_exception_type() == nullptr) return nullptr;
  try {
    throw;
  } catch (const std::exception& exception) {
    return shortage_of(exception);
  } catch (...) {
    return nullptr;
  }
}

// What failed because of that may have another type of its own.
bool is_memory_short() noexcept {
  constexpr std::size_t little = 4096;
  void* const memory = std::malloc(little);  // NOLINT(*-no-malloc, *-owning-memory)
  std::free(memory);                         // NOLINT(*-no-malloc, *-owning-memory)
  return memory == nullptr;
}

void on_terminate() {
  const char* message = is_memory_short() ? no_memory : shortage_of_current();
  if (message != nullptr) end_at_once(this_program, message, ErrorCode::busy);
  abort_as_ever();
}

iovec bytes_of(std::string_view text) { return {const_cast<char*>(text.data()), text.size()}; }  // NOLINT

}  // namespace

void end_at_once(std::string_view program, std::string_view message, ErrorCode code) noexcept {
  pollfd error{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (::poll(&error, 1, 0) == 1 && (error.revents & POLLOUT) != 0) {
    const iovec parts[] = {bytes_of(program), bytes_of(": "), bytes_of(message), bytes_of("\n")};
    [[maybe_unused]] const ssize_t written = ::writev(STDERR_FILENO, parts, 4);
  }
  std::_Exit(static_cast<int>(code));  // ThreadSanitizer's _exit() flushes, which may block
}

void end_at_once_on_shortage(std::string_view program) {
  this_program = program;
  abort_as_ever = std::set_terminate(on_terminate);
}

const char* shortage_of(const std::exception& exception) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr) return no_memory;
  const auto* const system = dynamic_cast<const std::system_error*>(&exception);
  if (system == nullptr) return nullptr;
  if (system->code() == std::errc::too_many_files_open ||
      system->code() == std::errc::too_many_files_open_in_system)
    return no_descriptors;
  return system->code() == std::errc::resource_unavailable_try_again ? no_threads : nullptr;
}

}  // namespace qdedup
