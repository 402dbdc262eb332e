#include "cli/spooled_input.h"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"

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

// The descriptor that `input` refers to, if it is one this process inherited.
std::optional<int> descriptor_of(std::string_view input) {
  constexpr std::string_view descriptors = "/dev/fd/";
  if (input == "-" || input == "/dev/stdin") return STDIN_FILENO;
  if (!input.starts_with(descriptors)) return std::nullopt;
  input.remove_prefix(descriptors.size());
  int number = 0;
  const auto [end, failure] = std::from_chars(input.data(), input.data() + input.size(), number);
  return failure == std::errc() && end == input.data() + input.size() ? std::optional(number) : std::nullopt;
}

// A descriptor that is not open is left for its reader to report.
bool is_pipe(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

Status spool(int input, const std::string& name) {
  const std::string folder = temporary_folder();
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor file, nameless_file(folder));
  std::vector<char> buffer(std::size_t{1} << 20U);
  while (true) {
    const ssize_t length = ::read(input, buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return errno_error(name, errno);
    if (length == 0) break;
    QDEDUP_TRY(write_all(file.number(), {buffer.data(), static_cast<std::size_t>(length)}, folder));
  }
  if (::lseek(file.number(), 0, SEEK_SET) < 0) return errno_error(folder, errno);
  return ::dup2(file.number(), input) < 0 ? Status(errno_error(folder, errno)) : Status();
}

}  // namespace

Status spool_pipes(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const std::optional<int> descriptor = descriptor_of(input);
    if (!descriptor || !is_pipe(*descriptor)) continue;
    QDEDUP_TRY(spool(*descriptor, input == "-" ? "standard input" : input));
  }
  return {};
}

}  // namespace qdedup::cli
