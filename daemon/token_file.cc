#include "daemon/token_file.h"

#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t max_size = 4096;

Status check(const std::string& path, int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return errno_error(path, errno);
  if (!S_ISREG(about.st_mode)) return Error{ErrorCode::config, path + ": not a regular file"};
  if ((about.st_mode & 0077) != 0) {
    return Error{ErrorCode::config, path + ": others than its owner may use it; chmod it to 0600"};
  }
  return {};
}

Result<std::string> read_up_to(const std::string& path, int file, std::size_t limit) {
  std::string bytes(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t got = ::read(file, bytes.data() + size, limit - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

std::string trimmed(const std::string& text) {
  constexpr const char* white_space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

}  // namespace

Result<std::string> read_token_file(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // NOLINT(*-vararg)
  if (!file.open()) return errno_error(path, errno);
  QDEDUP_TRY(check(path, file.number()));
  const Result<std::string> bytes = read_up_to(path, file.number(), max_size + 1);
  if (!bytes.ok()) return bytes.error();
  if (bytes->size() > max_size) return Error{ErrorCode::config, path + ": too long for a token"};
  std::string token = trimmed(*bytes);
  if (token.empty()) return Error{ErrorCode::config, path + ": holds no token"};
  return token;
}

}  // namespace qdedup::daemon
