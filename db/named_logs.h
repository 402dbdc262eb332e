#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/decisions.h"
#include "db/store.h"

namespace qdedup::db {

// What was taken out with a log.
struct ForgottenLog {
  std::string path;
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t rejected = 0;
  std::string first_seen_at;
  std::string last_mined_at;
};

struct ForgetReport {
  std::vector<ForgottenLog> logs;
  // Of the logs with the same names, those that stay, because these iterations consumed evidence of them.
  struct Kept {
    std::string path;
    std::vector<std::int64_t> iterations;
  };
  std::vector<Kept> kept;
};

// What people say of logs by name: the path where a log was seen last. Of several logs with that path (one
// was rotated away while nobody looked) all are meant. Names that no log has are ErrorCode::no_input, and
// nothing is changed then.
class NamedLogs {
 public:
  explicit NamedLogs(Store& store) : store_(store) {}

  // Takes these logs out with their counts and evidence, in one transaction. The records stay, with their
  // marks, so that their content is left out from now on, under whatever name. ErrorCode::data, naming the
  // iterations, if evidence of all logs with one of the names was consumed, or nothing was mined of them.
  // With `trial`, changes nothing.
  Result<ForgetReport> forget(const std::vector<std::string>& paths, const Decider& who, bool trial);

  // Drops what is known of forgotten logs, so that they are new when they are seen next. Returns how many.
  Result<std::uint64_t> take_back(const std::vector<std::string>& paths);

  // Notes that somebody knows of the possible losses, and of the lines possibly counted twice, of these logs;
  // without `paths`, of all. They count no longer, but new ones will. Returns the paths.
  Result<std::vector<std::string>> acknowledge(const std::optional<std::vector<std::string>>& paths,
                                               const Decider& who);

 private:
  Store& store_;
};

}  // namespace qdedup::db
