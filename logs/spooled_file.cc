#include "logs/spooled_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace qdedup::logs {
namespace {

constexpr std::size_t spooled_at_once = std::size_t{1} << 20U;

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): never changed
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

Result<FileDescriptor> spool(ByteSource& source) {
  const std::string folder = temporary_folder();
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor file, nameless_file(folder));
  std::vector<char> buffer(spooled_at_once);
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, source.read(buffer));
    if (count == 0) break;
    QDEDUP_TRY(write_all(file.number(), {buffer.data(), count}, folder));
  }
  if (::lseek(file.number(), 0, SEEK_SET) < 0) return errno_error(folder, errno);
  return file;
}

}  // namespace qdedup::logs
