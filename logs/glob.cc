#include "logs/glob.h"

#include <cerrno>
#include <cstddef>
#include <string_view>

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace qdedup::logs {
namespace {

bool has_wildcards(std::string_view component) {
  return component.find_first_of("*?[\\") != std::string_view::npos;
}

bool is_missing(const std::string& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool is_forbidden(const std::string& folder) {
  return ::faccessat(AT_FDCWD, folder.c_str(), R_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES;
}

// `paths` end with a slash, or are empty.
Result<std::vector<std::string>> continued(const std::vector<std::string>& paths,
                                           const std::string& component) {
  std::vector<std::string> longer;
  for (const std::string& path : paths) {
    const std::string folder = path.empty() ? "." : path;
    const Result<std::vector<std::string>> names = names_matching(folder, component);
    if (names.ok()) {
      for (const std::string& name : *names) longer.push_back(path + name);
    } else if (names.error().code != ErrorCode::no_input) {
      return names.error();
    } else if (is_forbidden(folder)) {
      longer.push_back(path + component);
    }
  }
  return longer;
}

}  // namespace

bool matches_component(const std::string& component, const char* name) {
  return ::fnmatch(component.c_str(), name, FNM_PERIOD) == 0;
}

Result<std::vector<std::string>> names_matching(const std::string& folder, const std::string& component) {
  if (!has_wildcards(component)) return std::vector{component};
  QDEDUP_ASSIGN_OR_RETURN(std::vector<std::string> names, names_in(folder));
  std::erase_if(names, [&](const std::string& name) { return !matches_component(component, name.c_str()); });
  return names;
}

Result<std::vector<std::string>> expand_glob(const std::string& glob) {
  std::vector<std::string> paths = {""};
  std::size_t begin = 0;
  for (std::size_t end = glob.find('/'); end != std::string::npos; end = glob.find('/', begin)) {
    QDEDUP_ASSIGN_OR_RETURN(paths, continued(paths, glob.substr(begin, end - begin)));
    for (std::string& path : paths) path += '/';
    begin = end + 1;
  }
  const std::string last = glob.substr(begin);
  QDEDUP_ASSIGN_OR_RETURN(paths, continued(paths, last));
  if (!has_wildcards(last)) std::erase_if(paths, is_missing);
  return paths;
}

}  // namespace qdedup::logs
