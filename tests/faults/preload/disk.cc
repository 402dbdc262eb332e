// Preloaded into a program: whatever it does to the files below the folder FAULT_DISK is noted in the file
// FAULT_DISK_TRACE, call by call, so that a test can tell what a disk may hold when the power fails. Notes
// are as tests/faults/disk.py reads them. Files that are mapped and written that way are not noted.
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum class Did : std::uint32_t { create = 1, write, resize, rename, unlink, sync, sync_folder };

struct Note {
  Did what;
  std::uint32_t name_bytes = 0;
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;  // or size
  std::uint64_t data_bytes = 0;
};

// One at a time, in all processes: a call and its note are not to be separated.
class Turn {
 public:
  Turn() : alone_(mutex()) { ::flock(trace(), LOCK_EX); }
  ~Turn() { ::flock(trace(), LOCK_UN); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  void note(Note note, std::string_view name, std::string_view data = {}) {
    const int before = errno;
    note.name_bytes = static_cast<std::uint32_t>(name.size());
    note.data_bytes = data.size();
    const auto part = [](const void* bytes, std::size_t size) {
      return iovec{const_cast<void*>(bytes), size};
    };
    const std::array parts = {part(&note, sizeof note), part(name.data(), name.size()),
                              part(data.data(), data.size())};
    const long wrote = ::syscall(SYS_writev, trace(), parts.data(), parts.size());
    if (wrote != static_cast<long>(sizeof note + name.size() + data.size())) std::abort();
    errno = before;
  }

 private:
  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }

  static int trace() {
    static const int file = [] {
      const char* path = std::getenv("FAULT_DISK_TRACE");
      const long opened = path == nullptr ? -1
                                          : ::syscall(SYS_openat, AT_FDCWD, path,
                                                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
      if (opened < 0) std::abort();
      return static_cast<int>(opened);
    }();
    return file;
  }

  std::scoped_lock<std::mutex> alone_;
};

const std::string& folder() {
  static const std::string name = [] {
    const char* path = std::getenv("FAULT_DISK");
    return std::string(path == nullptr ? "/nowhere" : path);
  }();
  return name;
}

bool is_below_folder(std::string_view path) {
  return path.starts_with(folder()) && (path.size() == folder().size() || path[folder().size()] == '/');
}

// Where an open file lies; empty unless below the folder.
std::string place_of(int file) {
  const int before = errno;
  std::array<char, 4096> place{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(link.c_str(), place.data(), place.size());
  errno = before;
  const std::string_view path(place.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  return std::string(is_below_folder(path) ? path : std::string_view());
}

std::string absolute(int at, const char* path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path whole = path;
  if (whole.is_relative() && at != AT_FDCWD) {
    whole = fs::read_symlink("/proc/self/fd/" + std::to_string(at), failure) / whole;
  }
  whole = fs::absolute(whole, failure);
  return fs::canonical(whole.parent_path(), failure) / whole.filename();
}

std::uint64_t inode_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? status.st_ino : 0;
}

int noted_open(int at, const char* path, int flags, mode_t mode) {
  const std::string place = (flags & (O_CREAT | O_TRUNC)) != 0 ? absolute(at, path) : std::string();
  const auto real = [&] { return static_cast<int>(::syscall(SYS_openat, at, path, flags, mode)); };
  if (!is_below_folder(place)) return real();
  Turn turn;
  struct stat status {};
  const bool was_there = ::lstat(place.c_str(), &status) == 0;
  const int file = real();
  if (file < 0) return file;
  if (!was_there) turn.note({Did::create, 0, inode_of(file)}, place);
  if (was_there && (flags & O_TRUNC) != 0) turn.note({Did::resize, 0, inode_of(file)}, place);
  return file;
}

ssize_t noted_write(int file, const void* bytes, std::size_t size, const off64_t* offset) {
  const auto real = [&] {
    return offset == nullptr ? ::syscall(SYS_write, file, bytes, size)
                             : ::syscall(SYS_pwrite64, file, bytes, size, *offset);
  };
  const std::string place = place_of(file);
  if (place.empty()) return real();
  Turn turn;
  const long wrote = real();
  if (wrote <= 0) return wrote;
  const auto end = offset == nullptr ? ::lseek(file, 0, SEEK_CUR) : *offset + wrote;
  turn.note({Did::write, 0, inode_of(file), static_cast<std::uint64_t>(end - wrote)}, place,
            {static_cast<const char*>(bytes), static_cast<std::size_t>(wrote)});
  return wrote;
}

int noted_resize(int file, off64_t size, bool grow_only) {
  const auto real = [&] {
    return grow_only ? ::syscall(SYS_fallocate, file, 0, off64_t{0}, size)
                     : ::syscall(SYS_ftruncate, file, size);
  };
  const std::string place = place_of(file);
  if (place.empty()) return static_cast<int>(real());
  Turn turn;
  const auto code = static_cast<int>(real());
  struct stat status {};
  if (code == 0 && ::fstat(file, &status) == 0) {
    turn.note({Did::resize, 0, status.st_ino, static_cast<std::uint64_t>(status.st_size)}, place);
  }
  return code;
}

int noted_sync(int file, long call) {
  const std::string place = place_of(file);
  if (place.empty()) return static_cast<int>(::syscall(call, file));
  Turn turn;
  const auto code = static_cast<int>(::syscall(call, file));
  struct stat status {};
  if (code != 0 || ::fstat(file, &status) != 0) return code;
  turn.note({S_ISDIR(status.st_mode) ? Did::sync_folder : Did::sync, 0, status.st_ino}, place);
  return code;
}

int noted_rename(int from_at, const char* from, int to_at, const char* to) {
  const auto real = [&] { return static_cast<int>(::syscall(SYS_renameat2, from_at, from, to_at, to, 0)); };
  const std::string old_place = absolute(from_at, from);
  const std::string place = absolute(to_at, to);
  if (!is_below_folder(old_place) && !is_below_folder(place)) return real();
  Turn turn;
  const int code = real();
  if (code == 0) turn.note({Did::rename}, old_place, place);
  return code;
}

int noted_unlink(int at, const char* path, int flags) {
  const auto real = [&] { return static_cast<int>(::syscall(SYS_unlinkat, at, path, flags)); };
  const std::string place = absolute(at, path);
  if (!is_below_folder(place) || flags != 0) return real();
  Turn turn;
  const int code = real();
  if (code == 0) turn.note({Did::unlink}, place);
  return code;
}

mode_t mode_of(int flags, std::va_list& more) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(more, unsigned)) : 0;
}

}  // namespace

extern "C" {

// NOLINTBEGIN(cert-dcl50-cpp,cppcoreguidelines-pro-type-vararg): as the C library has them
int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return noted_open(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int openat(int at, const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  return noted_open(at, path, flags, mode);
}

int openat64(int at, const char* path, int flags, ...) __attribute__((alias("openat")));
// NOLINTEND(cert-dcl50-cpp,cppcoreguidelines-pro-type-vararg)

ssize_t write(int file, const void* bytes, size_t size) { return noted_write(file, bytes, size, nullptr); }

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  return noted_write(file, bytes, size, &offset);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) __attribute__((alias("pwrite64")));

int ftruncate64(int file, off64_t size) noexcept { return noted_resize(file, size, false); }

int ftruncate(int file, off_t size) noexcept __attribute__((alias("ftruncate64")));

int posix_fallocate64(int file, off64_t offset, off64_t size) {
  return noted_resize(file, offset + size, true) == 0 ? 0 : errno;
}

int posix_fallocate(int file, off_t offset, off_t size) __attribute__((alias("posix_fallocate64")));

int fsync(int file) { return noted_sync(file, SYS_fsync); }

int fdatasync(int file) { return noted_sync(file, SYS_fdatasync); }

int rename(const char* from, const char* to) noexcept { return noted_rename(AT_FDCWD, from, AT_FDCWD, to); }

int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  return noted_rename(from_at, from, to_at, to);
}

int unlink(const char* path) noexcept { return noted_unlink(AT_FDCWD, path, 0); }

int unlinkat(int at, const char* path, int flags) noexcept { return noted_unlink(at, path, flags); }

// Of a file, what std::filesystem::remove calls.
int remove(const char* path) noexcept {
  const int code = noted_unlink(AT_FDCWD, path, 0);
  return code != 0 && errno == EISDIR
             ? static_cast<int>(::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR))
             : code;
}

}  // extern "C"
