#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file_descriptor.h"

namespace qdedup::logs {

// Reports that something happened to files that match globs (including wildcards in folder names), using
// inotify(7). Folders along the way are watched too, so they may disappear and reappear.
class LogWatch {
 public:
  LogWatch();

  // Watches what `globs` require, and nothing else. Call it again whenever something happened, because there
  // may be new folders. Reads the folders in which folders match a wildcard.
  void update(const std::vector<std::string>& globs);

  // Non-blocking, readable when something happened; -1 if inotify is unavailable.
  [[nodiscard]] int descriptor() const { return inotify_.number(); }

  // Reads the waiting events. Returns whether something happened: also where there were more events than the
  // kernel could store, so that anything may have. If others write faster, the rest makes the descriptor
  // readable again.
  bool drain();

  // Whether everything is watched. If not (no inotify, no watches left, a folder without permission), changes
  // there are found only by looking now and then.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  struct Watched {
    int watch = -1;
    std::uint32_t events = 0;
    std::vector<std::string> names;  // patterns of the names that matter in the folder
  };

  // Watches `folder` for what matches `name`; false if it failed for a lasting reason.
  bool watch(const std::string& folder, const std::string& name, std::uint32_t events,
             std::map<std::string, Watched>& wanted);
  bool watch_along(const std::string& glob, std::map<std::string, Watched>& wanted);
  void forget_others(const std::map<std::string, Watched>& wanted);
  [[nodiscard]] bool matters(int watch, const char* name) const;

  FileDescriptor inotify_;
  bool complete_ = false;
  std::map<std::string, Watched> folders_;
};

}  // namespace qdedup::logs
