#include "logs/log_paths.h"

#include <set>

#include <glob.h>

namespace qdedup::logs {

std::vector<std::string> matching_paths(const std::vector<std::string>& globs) {
  std::set<std::string> paths;
  for (const std::string& pattern : globs) {
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
      paths.insert(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
  }
  return {paths.begin(), paths.end()};
}

}  // namespace qdedup::logs
