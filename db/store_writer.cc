#include "db/store_writer.h"

namespace qdedup::db {

StoreWriter::StoreWriter(StateFolder folder, Store store)
    : folder_(std::move(folder)), mutex_(std::make_unique<std::mutex>()), store_(std::move(store)) {}

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
  if (moved_) store_->on_activity(moved_);
  return {};
}

void StoreWriter::on_activity(std::function<void()> moved) {
  const std::scoped_lock turn(*mutex_);
  moved_ = std::move(moved);
  if (store_) store_->on_activity(moved_);
}

}  // namespace qdedup::db
