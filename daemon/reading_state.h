#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "base/result.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::daemon {

// Which file stands at a path.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Nothing where there is none.
std::optional<FileIdentity> identity_of(const std::string& path);

// Read-only connections that stay open from one question to the next. Not to be shared by threads.
class ReadingState {
 public:
  explicit ReadingState(db::StateFolder folder) : folder_(std::move(folder)) {}

  // Opens what is not open, or was replaced by another file.
  Status open();
  // After an error: it may be of the connection.
  void close();

  // These are of an open state.
  [[nodiscard]] db::Store& store() { return *store_; }
  [[nodiscard]] db::Bank& bank() { return *bank_; }
  [[nodiscard]] const std::optional<FileIdentity>& bank_file() const { return bank_file_; }

 private:
  db::StateFolder folder_;
  std::optional<FileIdentity> store_file_;
  std::optional<FileIdentity> bank_file_;
  std::optional<db::Store> store_;
  std::optional<db::Bank> bank_;
};

}  // namespace qdedup::daemon
