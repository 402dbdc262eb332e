#include "iteration/log_groups.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fnmatch.h>

#include "base/ascii.h"

namespace qdedup::iteration {
namespace {

bool is_separator(char character) { return character == '.' || character == '-' || character == '_'; }

std::string without_generation(const std::string& path) {
  std::string_view name(path);
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  const std::size_t begin = name.rfind('/') + 1;  // 0 without a folder
  std::string left(name.substr(0, begin));
  for (std::size_t at = begin; at < name.size();) {
    std::size_t end = at + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    const bool is_part = end == name.size() || is_separator(name[end]);
    const bool is_number = at > begin && is_separator(name[at]) && end > at + 1 && is_part;
    if (!is_number) left += name[at];
    at = is_number ? end : at + 1;
  }
  return left;
}

}  // namespace

std::string log_pattern(const std::string& path, const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    if (::fnmatch(glob.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0) return glob;
  }
  return without_generation(path);
}

std::map<std::string, LogGroup> group_logs(const std::vector<db::LogRecord>& logs,
                                           const std::vector<std::string>& globs) {
  std::map<std::string, LogGroup> groups;
  for (const db::LogRecord& log : logs) {
    if (log.is_forgotten()) continue;
    const std::string pattern = log_pattern(log.path, globs);
    LogGroup& group = groups[pattern];
    ++group.logs;
    const bool is_alone = group.logs == 1 && std::ranges::find(globs, pattern) == globs.end();
    group.name = is_alone ? log.path : pattern;
    group.totals += log.totals;
    group.bytes += log.offset;
    group.last_mined_at = std::max(group.last_mined_at, log.last_mined_at);
  }
  return groups;
}

}  // namespace qdedup::iteration
