// Preloaded into a program: its wall clock is wrong by as many seconds as the file FAULT_CLOCK says, at every
// look. Debian's faketime also shifts the timers of Asio that are to fire at once, which then never do.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::time_t offset() {
  const int before = errno;
  std::array<char, 32> digits{};
  const char* path = std::getenv("FAULT_CLOCK");
  const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0 && ::read(file, digits.data(), digits.size() - 1) < 0) digits.front() = '\0';
  if (file >= 0) ::close(file);
  errno = before;
  return std::strtoll(digits.data(), nullptr, 10);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const long code = ::syscall(SYS_clock_gettime, clock, time);
  if (code == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset();
  return static_cast<int>(code);
}

int gettimeofday(timeval* time, void* /*zone*/) noexcept {
  timespec now{};
  const int code = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return code;
}

std::time_t time(std::time_t* where) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (where != nullptr) *where = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
