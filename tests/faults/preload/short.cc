// Preloaded into a program: whatever it reads or writes is cut short, and every other time interrupted first.
#include <atomic>
#include <cerrno>
#include <cstddef>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<unsigned> calls = 0;

bool is_interrupted() {
  if (calls++ % 2 != 0) return false;
  errno = EINTR;
  return true;
}

std::size_t less_than(std::size_t count) { return count > 1 ? count - count / 3 - 1 : count; }

}  // namespace

extern "C" {

ssize_t pread64(int file, void* bytes, std::size_t count, off64_t offset) {
  return is_interrupted() ? -1 : ::syscall(SYS_pread64, file, bytes, less_than(count), offset);
}
ssize_t pwrite64(int file, const void* bytes, std::size_t count, off64_t offset) {
  return is_interrupted() ? -1 : ::syscall(SYS_pwrite64, file, bytes, less_than(count), offset);
}
ssize_t pread(int file, void* bytes, std::size_t count, off_t offset) {
  return pread64(file, bytes, count, offset);
}
ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}
ssize_t read(int file, void* bytes, std::size_t count) {
  return is_interrupted() ? -1 : ::syscall(SYS_read, file, bytes, less_than(count));
}
ssize_t write(int file, const void* bytes, std::size_t count) {
  return is_interrupted() ? -1 : ::syscall(SYS_write, file, bytes, less_than(count));
}

}  // extern "C"
