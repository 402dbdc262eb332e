#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup {

struct Link {
  std::filesystem::path path;
  uid_t owner = 0;
};

// Where a path leads.
struct ResolvedPath {
  std::filesystem::path place;  // absolute, without links but for a last one to something without a name
  std::vector<Link> links;      // on the way, which others may exchange meanwhile
};

// Fails as the system does, with `path`. What is there need not exist.
Result<ResolvedPath> resolve_links(const std::string& path);

[[nodiscard]] bool is_of_root_or_own(const struct stat& about);

// Whether another user, root apart, may remove and rename what is in a folder, or replace it. Where a sticky
// bit keeps them from that, they may still put something there first.
[[nodiscard]] bool others_may_write(const struct stat& folder);

// Opens a folder, or any file, for neither reading nor writing, and follows no link. Of nothing, errno says
// why. `path` is absolute.
FileDescriptor open_folder(const std::filesystem::path& path);
FileDescriptor look_at(const std::filesystem::path& path);

}  // namespace qdedup
