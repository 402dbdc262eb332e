#include "db/writable_state.h"

#include <utility>

#include "base/user_name.h"
#include "db/state_file.h"

namespace qdedup::db {
namespace {

Result<std::shared_ptr<WritableState>> open_with(const StateFolder& folder, std::optional<StateLock> lock,
                                                 const std::shared_ptr<WritePermission>& permission) {
  Result<StoreWriter> store = StoreWriter::open(folder, permission);
  if (!store.ok()) return std::move(store).error();
  Result<Bank> bank = Bank::open(folder, Access::read_write);
  if (!bank.ok()) return std::move(bank).error();
  if (permission) bank->use(permission);
  return std::make_shared<WritableState>(WritableState{std::move(lock), *std::move(store), *std::move(bank),
                                                       permission ? permission->user() : unix_user()});
}

}  // namespace

Result<std::shared_ptr<WritableState>> open_writable_state(const StateFolder& folder) {
  QDEDUP_TRY(make_state_folder(folder.path()));
  Result<StateLock> lock = StateLock::acquire(folder);
  if (!lock.ok()) return std::move(lock).error();
  return open_with(folder, *std::move(lock), nullptr);
}

Result<std::shared_ptr<WritableState>> open_writable_state(
    const StateFolder& folder, const std::shared_ptr<WritePermission>& permission) {
  const Result<std::shared_ptr<void>> turn = permission->take_turn();
  if (!turn.ok()) return turn.error();
  return open_with(folder, std::nullopt, permission);
}

}  // namespace qdedup::db
