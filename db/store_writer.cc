#include "db/store_writer.h"

#include <chrono>

#include <unistd.h>

#include "base/user_name.h"
#include "db/arrivals.h"
#include "db/database.h"
#include "db/lake.h"

namespace qdedup::db {
namespace {

Result<bool> is_bank_lost(Store& store, const StateFolder& folder) {
  QDEDUP_ASSIGN_OR_RETURN(const bool is_here, is_there(folder.bank_path()));
  return is_here ? Result<bool>(false) : remembers_bank(store);
}

}  // namespace

Status expect_no_older(Bank& bank, Store& store) {
  QDEDUP_ASSIGN_OR_RETURN(const FollowedBank followed, Arrivals(store).followed());
  QDEDUP_ASSIGN_OR_RETURN(const FollowedBank present, present_bank(bank));
  if (present.identity != followed.identity || present.change >= followed.change) return {};
  return Error{ErrorCode::data,
               bank.path() + ": is older than the one that qdedup.db rests on; nothing was changed. " +
                   std::string(how_to_mend(bank.path())) + ", or put both databases of one backup in place"};
}

StoreWriter::StoreWriter(StateFolder folder, std::shared_ptr<WritePermission> permission, Store store)
    : folder_(std::move(folder)),
      files_(folder_.store_path()),
      permission_(std::move(permission)),
      line_(std::make_unique<Line>()),
      store_(std::move(store)) {
  set_up();
}

Result<StoreWriter> StoreWriter::open(const StateFolder& folder,
                                      std::shared_ptr<WritePermission> permission) {
  QDEDUP_ASSIGN_OR_RETURN(Store store, Store::open(folder, Access::read_write));
  return StoreWriter(folder, std::move(permission), std::move(store));
}

Status StoreWriter::connect() {
  QDEDUP_TRY(held());
  if (store_) return store_->check_files();
  QDEDUP_TRY(files_.check());
  QDEDUP_ASSIGN_OR_RETURN(Store store, Store::open(folder_, Access::read_write));
  store_.emplace(std::move(store));
  set_up();
  return {};
}

void StoreWriter::set_up() {
  if (on_activity_) store_->on_activity(on_activity_);
  store_->use(permission_);
}

void StoreWriter::on_activity(OnActivity on_activity) {
  on_activity_ = std::move(on_activity);
  if (store_) store_->on_activity(on_activity_);
}

std::shared_ptr<void> StoreWriter::stand_aside() {
  auto turn = std::make_shared<Turn>(*line_, on_activity_);
  store_.reset();
  return turn;
}

void StoreWriter::hold(std::optional<Error> why) {
  const std::scoped_lock lock(line_->mutex);
  line_->held = std::move(why);
}

Status StoreWriter::held() const {
  const std::scoped_lock lock(line_->mutex);
  return line_->held ? Status(*line_->held) : Status();
}

StoreWriter::Turn::Turn(Line& line, const OnActivity& on_activity) : line_(line) {
  std::unique_lock lock(line_.mutex);
  while (!line_.moved.wait_for(lock, std::chrono::seconds(1), [this] { return !line_.is_taken; })) {
    if (on_activity) on_activity(Activity::step);
  }
  line_.is_taken = true;
}

StoreWriter::Turn::~Turn() {
  const std::scoped_lock lock(line_.mutex);
  line_.is_taken = false;
  line_.moved.notify_one();
}

Result<std::shared_ptr<WritableState>> open_writable_state(const StateFolder& folder,
                                                           const std::shared_ptr<WritePermission>& permission,
                                                           LostBank lost) {
  QDEDUP_ASSIGN_OR_RETURN(const std::shared_ptr<void> turn, turn_of(permission.get()));
  std::optional<StateLock> lock;
  if (!permission) {
    QDEDUP_TRY(make_state_folder(folder.path()));
    QDEDUP_ASSIGN_OR_RETURN(lock, StateLock::acquire(folder));
  }
  QDEDUP_ASSIGN_OR_RETURN(StoreWriter store, StoreWriter::open(folder, permission));
  QDEDUP_ASSIGN_OR_RETURN(Store reading, Store::open(folder, Access::read_only));
  QDEDUP_ASSIGN_OR_RETURN(const bool is_lost,
                          lost == LostBank::make_anew ? is_bank_lost(reading, folder) : Result<bool>(false));
  QDEDUP_ASSIGN_OR_RETURN(Bank bank,
                          is_lost ? Bank::make_anew(folder) : Bank::open(folder, Access::read_write));
  QDEDUP_TRY(expect_no_older(bank, reading));
  if (permission) bank.use(permission);
  return std::make_shared<WritableState>(
      WritableState{std::move(lock), std::move(store), std::move(bank),
                    permission ? permission->user() : unix_user(::geteuid()), is_lost});
}

}  // namespace qdedup::db
