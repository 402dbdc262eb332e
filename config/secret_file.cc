#include "config/secret_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

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
  Result<std::string> content = read_at_most(file, path, longest + 1);
  if (!content.ok() || content->size() <= longest) return content;
  return Error{ErrorCode::config, path + ": is longer than " + std::to_string(longest) + " bytes"};
}

}  // namespace qdedup::config
