#include "config/secret_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace qdedup::config {
namespace {

std::string octal(mode_t mode) {
  std::string text;
  for (; mode > 0; mode >>= 3U) text.insert(text.begin(), static_cast<char>('0' + (mode & 7U)));
  return "0" + text;
}

Status check_access(const std::string& path, int file, mode_t most) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return errno_error(path, errno);
  if (!S_ISREG(about.st_mode)) return Error{ErrorCode::config, path + ": not a regular file"};
  if ((about.st_mode & 0777U & ~(most | S_IRWXU)) == 0) return {};
  return Error{ErrorCode::config, path + ": others may use it; chmod it to " + octal(most)};
}

}  // namespace

Result<std::string> read_secret_file(const std::string& path, mode_t most, std::size_t longest) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // NOLINT(*-vararg)
  if (!file.open()) return errno_error(path, errno);
  QDEDUP_TRY(check_access(path, file.number(), most));
  std::string content(longest + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t count = ::read(file.number(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error(path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > longest) {
    return Error{ErrorCode::config, path + ": is longer than " + std::to_string(longest) + " bytes"};
  }
  content.resize(size);
  return content;
}

}  // namespace qdedup::config
