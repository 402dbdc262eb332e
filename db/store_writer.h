#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/result.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::db {

// The one connection that writes the store, for all threads of the process that holds the state's lock. After
// any error it is closed and opened again before it is used next: what was committed then is what is in the
// file, whatever COMMIT said.
class StoreWriter {
 public:
  static Result<StoreWriter> open(const StateFolder& folder);

  // As Store::on_activity, for this and all later connections.
  void on_activity(std::function<void()> moved);

  // Answers `function(Store&)`, a Result or Status, alone with the connection. Waits for other threads.
  template <class Function>
  auto write(Function&& function) -> decltype(function(std::declval<Store&>())) {
    const std::scoped_lock turn(*mutex_);
    QDEDUP_TRY(connect());
    auto result = std::forward<Function>(function)(*store_);
    if (!result.ok()) store_.reset();
    return result;
  }

 private:
  StoreWriter(StateFolder folder, Store store);

  Status connect();

  StateFolder folder_;
  std::unique_ptr<std::mutex> mutex_;
  std::function<void()> moved_;
  std::optional<Store> store_;
};

}  // namespace qdedup::db
