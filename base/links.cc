#include "base/links.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace qdedup {
namespace {

// The first component of an absolute path that is a symbolic link; empty if none is.
std::filesystem::path first_link(const std::filesystem::path& path) {
  std::filesystem::path place;
  std::error_code failure;
  for (const std::filesystem::path& part : path) {
    place /= part;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(place, failure))) return place;
  }
  return {};
}

// Whether the kernel follows this link to something without a name, such as a pipe.
bool leads_to_no_name(const std::filesystem::path& link, const std::filesystem::path& target) {
  struct statfs file_system {};
  struct stat about {};
  return ::statfs(link.parent_path().c_str(), &file_system) == 0 && file_system.f_type == PROC_SUPER_MAGIC &&
         ::lstat(target.c_str(), &about) != 0;
}

struct LinkFound {
  uid_t owner = 0;
  std::filesystem::path target;
};

// Both of one link, though others may exchange it meanwhile; none if there is no link any more.
Result<std::optional<LinkFound>> read_link(const std::string& shown, const std::filesystem::path& path) {
  const FileDescriptor link(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));  // NOLINT(*-vararg)
  struct stat about {};
  if (!link.open() || ::fstat(link.number(), &about) != 0) return errno_error(shown, errno);
  if (!S_ISLNK(about.st_mode)) return std::optional<LinkFound>();
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlinkat(link.number(), "", target.data(), target.size());
  if (size < 0) return errno_error(shown, errno);
  return std::optional(
      LinkFound{about.st_uid, std::string_view(target.data(), static_cast<std::size_t>(size))});
}

}  // namespace

bool is_of_root_or_own(const struct stat& about) { return about.st_uid == 0 || about.st_uid == ::geteuid(); }

bool others_may_write(const struct stat& folder) {
  return !is_of_root_or_own(folder) || (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

Result<ResolvedPath> resolve_links(const std::string& path) {
  constexpr std::size_t max_links = 40;
  std::error_code failure;
  ResolvedPath resolved{std::filesystem::absolute(path, failure), {}};
  while (resolved.links.size() < max_links) {
    const std::filesystem::path link = first_link(resolved.place);
    if (link.empty()) return resolved;
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<LinkFound> found, read_link(path, link));
    if (!found) continue;
    resolved.links.push_back({link, found->owner});
    const std::filesystem::path rest = resolved.place.lexically_relative(link);
    const std::filesystem::path target = link.parent_path() / found->target;
    if (rest == "." && leads_to_no_name(link, target)) return resolved;
    resolved.place = target;
    if (rest != ".") resolved.place /= rest;
  }
  return errno_error(path, ELOOP);
}

// Opens one component at a time, because O_NOFOLLOW applies only to the last one.
FileDescriptor open_folder(const std::filesystem::path& path) {
  FileDescriptor folder(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
  for (const std::filesystem::path& name : path.relative_path()) {
    if (!folder.open()) break;
    if (name.empty()) continue;
    folder = FileDescriptor(::openat(folder.number(), name.c_str(),  // NOLINT(*-vararg)
                                     O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return folder;
}

FileDescriptor look_at(const std::filesystem::path& path) {
  FileDescriptor folder = open_folder(path.parent_path());
  if (!folder.open() || path.filename().empty()) return folder;
  return FileDescriptor(::openat(folder.number(), path.filename().c_str(),  // NOLINT(*-vararg)
                                 O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

}  // namespace qdedup
