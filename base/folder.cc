#include "base/folder.h"

#include <cerrno>
#include <memory>
#include <new>
#include <string_view>

#include <dirent.h>

#include "base/error.h"

namespace qdedup {

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

}  // namespace qdedup
