#include "db/store_writer.h"

#include <chrono>

#include "db/connection.h"

namespace qdedup::db {

StoreWriter::StoreWriter(StateFolder folder, std::shared_ptr<WritePermission> permission, Store store)
    : folder_(std::move(folder)),
      permission_(std::move(permission)),
      line_(std::make_unique<Line>()),
      store_(std::move(store)) {
  set_up();
}

Result<StoreWriter> StoreWriter::open(const StateFolder& folder,
                                      std::shared_ptr<WritePermission> permission) {
  Result<Store> store = Store::open(folder, Access::read_write);
  if (!store.ok()) return std::move(store).error();
  return StoreWriter(folder, std::move(permission), *std::move(store));
}

Status StoreWriter::connect() {
  QDEDUP_TRY(held());
  if (store_) return store_->check_files();
  Result<Store> store = Store::open(folder_, Access::read_write);
  if (!store.ok()) return std::move(store).error();
  store_.emplace(*std::move(store));
  set_up();
  return {};
}

void StoreWriter::set_up() {
  if (told_) store_->on_activity(told_);
  store_->use(permission_);
}

void StoreWriter::on_activity(OnActivity told) {
  told_ = std::move(told);
  if (store_) store_->on_activity(told_);
}

std::shared_ptr<void> StoreWriter::stand_aside() {
  auto turn = std::make_shared<Turn>(*line_, told_);
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

StoreWriter::Turn::Turn(Line& line, const OnActivity& told) : line_(line) {
  std::unique_lock lock(line_.mutex);
  while (!line_.moved.wait_for(lock, std::chrono::seconds(1), [this] { return !line_.is_taken; })) {
    if (told) told(Activity::step);
  }
  line_.is_taken = true;
}

StoreWriter::Turn::~Turn() {
  const std::scoped_lock lock(line_.mutex);
  line_.is_taken = false;
  line_.moved.notify_one();
}

}  // namespace qdedup::db
