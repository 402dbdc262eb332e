#pragma once

#include <map>
#include <string>
#include <vector>

namespace qdedup::logs {

// Tells when something happens in the folders in which files can match globs (wildcards in the names of
// folders too), with inotify(7). It only says that one should look: what is there is found by looking. Where
// a folder is missing, the nearest one above it is watched.
class LogWatch {
 public:
  enum class Happened {
    nothing,
    something,
    overflow,  // more than the kernel could keep; anything may have happened
  };

  LogWatch();
  LogWatch(const LogWatch&) = delete;
  LogWatch& operator=(const LogWatch&) = delete;
  ~LogWatch();

  // Watches what `globs` need, and no longer what they do not. To be called again after each `something` and
  // `overflow`, for folders may have come: cheap when nothing did.
  void update(const std::vector<std::string>& globs);

  // Non-blocking, readable when something happened; -1 when inotify is not to be had.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Reads all that the descriptor has to tell.
  Happened drain();

  // Is everything watched? If not (no inotify, no watches left, a folder that may not be read), only looking
  // now and then finds what happens there.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  bool watch(const std::string& folder);
  void forget_others(const std::vector<std::string>& folders);

  int descriptor_;
  bool complete_ = false;
  std::map<std::string, int> watches_;  // by folder
};

}  // namespace qdedup::logs
