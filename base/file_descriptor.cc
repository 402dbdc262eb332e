#include "base/file_descriptor.h"

#include <cerrno>
#include <filesystem>
#include <memory>
#include <new>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace qdedup {

void FileDescriptor::close() {
  if (open()) ::close(release());
}

Result<std::string> read_at_most(const FileDescriptor& file, const std::string& path, std::size_t most) {
  std::string content(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(file.number(), content.data() + size, most - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno_error(path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (!open && errno == ENOMEM) throw std::bad_alloc();
  if (!open) return errno_error(folder, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(open.get())) {  // NOLINT(concurrency-mt-unsafe): of its own
    const std::string_view name(static_cast<const char*>(entry->d_name));
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return errno_error(folder, errno);
  return names;
}

bool sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const FileDescriptor opened(::open(folder.empty() ? "." : folder.c_str(),  // NOLINT(*-vararg)
                                     O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.open() && ::fsync(opened.number()) == 0;
}

void reserve_standard_descriptors() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int wrong_way = standard == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    const int opened = ::open("/dev/null", wrong_way);  // NOLINT(*-vararg)
    if (opened > standard) ::close(opened);
  }
}

void raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t open_file_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
}

}  // namespace qdedup
