#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "db/bank.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "db/write_permission.h"

namespace qdedup::db {

// The state, open for changing it.
struct WritableState {
  std::optional<StateLock> lock;  // none: held for each transaction alone, by permission
  StoreWriter store;
  Bank bank;
  std::string user;  // who writes, for the audit
};

// Takes the lock; makes the state if there is none yet.
Result<std::shared_ptr<WritableState>> open_writable_state(const StateFolder& folder);

// The state of a daemon that runs.
Result<std::shared_ptr<WritableState>> open_writable_state(
    const StateFolder& folder, const std::shared_ptr<WritePermission>& permission);

}  // namespace qdedup::db
