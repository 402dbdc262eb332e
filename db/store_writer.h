#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/result.h"
#include "db/activity.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::db {

// The one connection that writes the store, for all threads of the process that holds the state's lock. After
// any error it is closed and opened again before it is used next: what was committed then is what is in the
// file, whatever COMMIT said.
class StoreWriter {
 public:
  static Result<StoreWriter> open(const StateFolder& folder);

  // As Store::on_activity, for this and all later connections. Before other threads use the writer.
  void on_activity(OnActivity told);

  // Answers `function(Store&)`, a Result or Status, alone with the connection. Waits for other threads.
  template <class Function>
  auto write(Function&& function) -> decltype(function(std::declval<Store&>())) {
    const Turn turn(*line_, told_);
    QDEDUP_TRY(connect());
    auto result = std::forward<Function>(function)(*store_);
    if (!result.ok()) store_.reset();
    return result;
  }

 private:
  // Who wants the connection, one at a time.
  struct Line {
    std::mutex mutex;
    std::condition_variable moved;
    bool is_taken = false;
  };

  // Has the connection alone while it lives.
  class Turn {
   public:
    Turn(Line& line, const OnActivity& told);  // tells, again and again, that it waits
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Line& line_;
  };

  StoreWriter(StateFolder folder, Store store);

  Status connect();

  StateFolder folder_;
  std::unique_ptr<Line> line_;
  OnActivity told_;
  std::optional<Store> store_;
};

}  // namespace qdedup::db
