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
#include "db/write_permission.h"

namespace qdedup::db {

// The one connection that writes the store, for all threads of the process that holds the state's lock. After
// any error it is closed and opened again before it is used next: what was committed then is what is in the
// file, whatever COMMIT said. Where the files of the store are not those that it has open, it stays as it is,
// and writes nothing until they are back: another store is for another process.
class StoreWriter {
 public:
  // With a permission, each write takes its turn.
  static Result<StoreWriter> open(const StateFolder& folder,
                                  std::shared_ptr<WritePermission> permission = nullptr);

  // As Store::on_activity, for this and all later connections. Before other threads use the writer.
  void on_activity(OnActivity told);

  // From now on write() answers this error; none: it goes on. On any thread.
  void hold(std::optional<Error> why);
  [[nodiscard]] Status held() const;

  // Answers `function(Store&)`, a Result or Status, alone with the connection. Waits for other threads.
  template <class Function>
  auto write(Function&& function) -> decltype(function(std::declval<Store&>())) {
    const Turn turn(*line_, told_);
    const Result<std::shared_ptr<void>> permitted = turn_of(permission_.get());
    if (!permitted.ok()) return permitted.error();
    QDEDUP_TRY(connect());
    auto result = std::forward<Function>(function)(*store_);
    if (!result.ok() && store_->check_files().ok()) store_.reset();
    return result;
  }

  // Closes the connection and keeps all threads from writing while the result lives. Waits for other threads.
  [[nodiscard]] std::shared_ptr<void> stand_aside();

 private:
  // Who wants the connection, one at a time.
  struct Line {
    std::mutex mutex;
    std::condition_variable moved;
    bool is_taken = false;
    std::optional<Error> held;
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

  StoreWriter(StateFolder folder, std::shared_ptr<WritePermission> permission, Store store);

  Status connect();
  void set_up();

  StateFolder folder_;
  std::shared_ptr<WritePermission> permission_;
  std::unique_ptr<Line> line_;
  OnActivity told_;
  std::optional<Store> store_;
};

}  // namespace qdedup::db
