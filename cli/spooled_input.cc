#include "cli/spooled_input.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace qdedup::cli {
namespace {

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): one thread
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

Result<FileDescriptor> nameless_file(const std::string& folder) {
  std::string name = folder + "/qdedup-XXXXXX";
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.open()) return errno_error(folder, errno);
  ::unlink(name.c_str());
  return file;
}

Status write_all(int descriptor, std::string_view bytes, const std::string& folder) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_error(folder, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

bool is_regular_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

Result<FileDescriptor> spool(int descriptor) {
  const std::string folder = temporary_folder();
  Result<FileDescriptor> file = nameless_file(folder);
  if (!file.ok()) return file;
  std::vector<char> buffer(std::size_t{1} << 20U);
  while (true) {
    const ssize_t length = ::read(descriptor, buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return errno_error("standard input", errno);
    if (length == 0) break;
    QDEDUP_TRY(write_all(file->number(), {buffer.data(), static_cast<std::size_t>(length)}, folder));
  }
  if (::lseek(file->number(), 0, SEEK_SET) < 0) return errno_error(folder, errno);
  return file;
}

}  // namespace qdedup::cli
