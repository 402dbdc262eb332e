#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store.h"
#include "logs/file_signature.h"

namespace qdedup::daemon {

// Of the file that stands at a path; nothing where there is none.
std::optional<logs::FileIdentity> identity_of(const std::string& path);

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
  [[nodiscard]] const std::optional<logs::FileIdentity>& bank_file() const { return bank_file_; }

 private:
  db::StateFolder folder_;
  std::optional<logs::FileIdentity> store_file_;
  std::optional<logs::FileIdentity> bank_file_;
  std::optional<db::Store> store_;
  std::optional<db::Bank> bank_;
};

}  // namespace qdedup::daemon
