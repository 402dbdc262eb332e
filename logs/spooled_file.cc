#include "logs/spooled_file.h"

#include <cerrno>
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

#include "base/parse_number.h"

namespace qdedup::logs {
namespace {

constexpr std::size_t spooled_at_once = std::size_t{1} << 20U;

Status write_all(int descriptor, std::string_view bytes, const std::string& folder) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_error(folder, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// The rest of a path through a descriptor, from its number on.
std::optional<std::string_view> behind_descriptors(std::string_view path) {
  if (path == "/dev/stdin") return "0";
  for (const std::string_view folder : {std::string_view("/dev/fd/"), own_descriptors})
    if (path.starts_with(folder)) return path.substr(folder.size());
  return std::nullopt;
}

// The descriptor that the path names.
std::optional<int> descriptor_of(std::string_view path) {
  const auto name = behind_descriptors(path);
  return name ? parse_number<int>(*name) : std::nullopt;
}

// A descriptor that is not open is left for its reader to report.
bool is_pipe(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

Status spool_in_place(int input, const std::string& name) {
  StreamSource source(input, name);
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor file, spool(source));
  return ::dup2(file.number(), input) < 0 ? Status(errno_error(name, errno)) : Status();
}

}  // namespace

bool is_descriptor(std::string_view path) { return behind_descriptors(path).has_value(); }

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): never changed
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

Error no_temporary_file(const std::string& folder, int reason) {
  return {ErrorCode::cannot_create, folder + ": nothing temporary can be made here (" +
                                        std::generic_category().message(reason) +
                                        "); set TMPDIR to another folder"};
}

Result<FileDescriptor> temporary_file() {
  const std::string folder = temporary_folder();
  std::string name = folder + "/qdedup-XXXXXX";
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.open()) return no_temporary_file(folder, errno);
  ::unlink(name.c_str());
  return file;
}

Result<FileDescriptor> spool(ByteSource& source) {
  const std::string folder = temporary_folder();
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor file, temporary_file());
  std::vector<char> buffer(spooled_at_once);
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t count, source.read(buffer));
    if (count == 0) break;
    QDEDUP_TRY(write_all(file.number(), {buffer.data(), count}, folder));
  }
  if (::lseek(file.number(), 0, SEEK_SET) < 0) return errno_error(folder, errno);
  return file;
}

Status spool_pipes(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const std::optional<int> descriptor = input == "-" ? STDIN_FILENO : descriptor_of(input);
    if (!descriptor || !is_pipe(*descriptor)) continue;
    QDEDUP_TRY(spool_in_place(*descriptor, input == "-" ? StreamSource::standard_input : input));
  }
  return {};
}

}  // namespace qdedup::logs
