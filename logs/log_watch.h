#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file_descriptor.h"

namespace qdedup::logs {

// Tells that something happened to files that match globs (wildcards in the names of folders too), with
// inotify(7). The folders on the way are watched as well, so that they may come, go and come back.
class LogWatch {
 public:
  enum class Happened {
    nothing,
    something,
    overflow,  // more than the kernel could keep; anything may have happened
  };

  LogWatch();

  // Watches what `globs` need, and nothing else. To be called again after each `something` and `overflow`,
  // for folders may have come. Reads the folders in which folders match a wildcard.
  void update(const std::vector<std::string>& globs);

  // Non-blocking, readable when something happened; -1 when inotify is not to be had.
  [[nodiscard]] int descriptor() const { return inotify_.number(); }

  // Reads the events that wait; what is left when others write faster makes the descriptor readable again.
  Happened drain();

  // Is everything watched? If not (no inotify, no watches left, a folder that may not be read), only looking
  // now and then finds what happens there.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  struct Watched {
    int watch = -1;
    std::uint32_t events = 0;
    std::vector<std::string> names;  // patterns of what matters in the folder
  };

  // Watches `folder` for what matches `name`; false if it failed for a reason that lasts.
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
