#include "db/database_files.h"

#include <algorithm>
#include <cstddef>

#include <sys/stat.h>

namespace qdedup::db {

DatabaseFiles::DatabaseFiles(const std::string& path) : paths_{path, path + "-wal", path + "-shm"} {
  for (std::size_t i = 0; i < paths_.size(); ++i) opened_.at(i) = identity_of(paths_.at(i));
}

Status DatabaseFiles::check() const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::optional<Identity> now = identity_of(paths_.at(i));
    if (now == opened_.at(i)) continue;
    return Error{ErrorCode::io, paths_.at(i) +
                                    (now ? ": was replaced by another file" : ": was removed or moved away") +
                                    " while it was open; nothing is written until it is back"};
  }
  struct stat log = {};
  if (::stat(paths_[1].c_str(), &log) != 0) return {};
  const auto size = static_cast<std::uint64_t>(log.st_size);
  if (size >= std::min(log_size_, largest_kept_log)) {
    log_size_ = size;
    return {};
  }
  return Error{ErrorCode::io,
               paths_[1] + ": was cut while it was open, and what was written last is lost with it"};
}

bool DatabaseFiles::are_mixed() const {
  std::size_t standing = 0;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::optional<Identity> now = identity_of(paths_.at(i));
    if (i == 0 && !now) return false;
    if (now && now == opened_.at(i)) ++standing;
  }
  return standing > 0 && standing < paths_.size();
}

std::optional<DatabaseFiles::Identity> DatabaseFiles::identity_of(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return Identity{file.st_dev, file.st_ino};
}

}  // namespace qdedup::db
