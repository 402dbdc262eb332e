#include "logs/log_watch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/inotify.h>
#include <unistd.h>

#include "base/ascii.h"
#include "logs/glob.h"

namespace qdedup::logs {
namespace {

// For folders: what appears and disappears in them.
constexpr std::uint32_t comings = IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                  IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
// For folders of logs: also what is written.
constexpr std::uint32_t writings = comings | IN_MODIFY | IN_CLOSE_WRITE;

// Limits the reads of the descriptor, because others may write faster than we read.
constexpr int max_reads = 64;

std::vector<std::string> components_of(std::string_view path) {
  std::vector<std::string> components;
  while (!path.empty()) {
    if (const std::string_view name = take_until(path, '/'); !name.empty()) components.emplace_back(name);
  }
  return components;
}

// The subfolders of `folder` whose names match.
Result<std::vector<std::string>> folders_in(const std::string& folder, const std::string& component) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<std::string> names, names_matching(folder, component));
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure)) found.push_back(path);
  }
  return found;
}

}  // namespace

LogWatch::LogWatch() : inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

void LogWatch::update(const std::vector<std::string>& globs) {
  if (!inotify_.open()) return;
  std::map<std::string, Watched> wanted;
  bool complete = true;
  for (const std::string& glob : globs) complete = watch_along(glob, wanted) && complete;
  forget_others(wanted);
  folders_ = std::move(wanted);
  complete_ = complete;
}

// Watches a folder before looking into it, so that nothing can appear unnoticed in between.
bool LogWatch::watch_along(const std::string& glob, std::map<std::string, Watched>& wanted) {
  bool complete = true;
  std::vector<std::string> folders = {glob.starts_with('/') ? "/" : "."};
  const std::vector<std::string> components = components_of(glob);
  for (const std::string& name : components) {
    const std::uint32_t events = &name == &components.back() ? writings : comings;
    std::vector<std::string> inner;
    for (const std::string& folder : folders) {
      complete = watch(folder, name, events, wanted) && complete;
      const Result<std::vector<std::string>> found = folders_in(folder, name);
      if (found.ok()) inner.insert(inner.end(), found->begin(), found->end());
      complete = complete && (found.ok() || found.error().code == ErrorCode::no_input);
    }
    folders = std::move(inner);
  }
  return complete;
}

bool LogWatch::watch(const std::string& folder, const std::string& name, std::uint32_t events,
                     std::map<std::string, Watched>& wanted) {
  const int watch = ::inotify_add_watch(descriptor(), folder.c_str(), events);
  if (watch < 0) return errno == ENOENT || errno == ENOTDIR;
  // A folder has one watch, by whatever path, for what was asked last.
  std::uint32_t all = events;
  for (const auto& [path, other] : wanted) {
    if (other.watch == watch) all |= other.events;
  }
  if (all != events && ::inotify_add_watch(descriptor(), folder.c_str(), all) != watch) return false;
  Watched& watched = wanted[folder];
  watched.watch = watch;
  watched.events = all;
  watched.names.push_back(name);
  return true;
}

void LogWatch::forget_others(const std::map<std::string, Watched>& wanted) {
  std::set<int> kept;
  for (const auto& [folder, watched] : wanted) kept.insert(watched.watch);
  for (const auto& [folder, watched] : folders_) {
    if (!kept.contains(watched.watch)) ::inotify_rm_watch(descriptor(), watched.watch);
  }
}

bool LogWatch::drain() {
  bool happened = false;
  alignas(inotify_event) std::array<char, 16384> buffer = {};
  for (int reads = 0; reads < max_reads; ++reads) {
    const ssize_t count = ::read(descriptor(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    inotify_event event = {};
    for (std::size_t at = 0; at < static_cast<std::size_t>(count); at += sizeof event + event.len) {
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const name = event.len > 0 ? buffer.data() + at + sizeof event : nullptr;
      happened = happened || (event.mask & IN_Q_OVERFLOW) != 0 || matters(event.wd, name);
    }
  }
  return happened;
}

// What happens to a folder itself always matters; what a removed watch still reports never does.
bool LogWatch::matters(int watch, const char* name) const {
  return std::ranges::any_of(folders_, [&](const auto& entry) {
    if (entry.second.watch != watch) return false;
    return name == nullptr || std::ranges::any_of(entry.second.names, [&](const std::string& pattern) {
             return matches_component(pattern, name);
           });
  });
}

}  // namespace qdedup::logs
