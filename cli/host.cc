#include "cli/host.h"

#include <utility>

#include "cli/unix_user.h"

namespace qdedup::cli {

Result<std::shared_ptr<WritableState>> open_writable_state(const db::StateFolder& folder) {
  Result<db::StateLock> lock = db::StateLock::acquire(folder);
  if (!lock.ok()) return std::move(lock).error();
  Result<db::StoreWriter> store = db::StoreWriter::open(folder);
  if (!store.ok()) return std::move(store).error();
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_write);
  if (!bank.ok()) return std::move(bank).error();
  return std::make_shared<WritableState>(*std::move(lock), *std::move(store), *std::move(bank));
}

Result<std::shared_ptr<WritableState>> ToolHost::open_for_writing(const db::StateFolder& folder) {
  return open_writable_state(folder);
}

std::string ToolHost::user() const { return unix_user(); }

}  // namespace qdedup::cli
