#include "base/file_descriptor.h"

#include <sys/resource.h>
#include <unistd.h>

namespace qdedup {

void FileDescriptor::close() {
  if (open()) ::close(release());
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
