#include "db/store_writer.h"

#include <chrono>

namespace qdedup::db {

StoreWriter::StoreWriter(StateFolder folder, Store store)
    : folder_(std::move(folder)), line_(std::make_unique<Line>()), store_(std::move(store)) {}

Result<StoreWriter> StoreWriter::open(const StateFolder& folder) {
  Result<Store> store = Store::open(folder, Access::read_write);
  if (!store.ok()) return std::move(store).error();
  return StoreWriter(folder, *std::move(store));
}

Status StoreWriter::connect() {
  if (store_) return {};
  Result<Store> store = Store::open(folder_, Access::read_write);
  if (!store.ok()) return std::move(store).error();
  store_.emplace(*std::move(store));
  if (told_) store_->on_activity(told_);
  return {};
}

void StoreWriter::on_activity(OnActivity told) {
  told_ = std::move(told);
  if (store_) store_->on_activity(told_);
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
