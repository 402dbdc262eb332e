#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "db/bank.h"
#include "db/connection.h"
#include "db/state_folder.h"
#include "db/store.h"

namespace qdedup::db {

// The one connection that writes the store, for all threads of the process that holds the state's lock. After
// any error it is closed and reopened before its next use: then what is in the file is committed, whatever
// COMMIT reported. If the files of the store are no longer those it has open, it stays open and writes
// nothing until they are back; another store needs another process.
class StoreWriter {
 public:
  // If there is a permission, each write takes a turn.
  static Result<StoreWriter> open(const StateFolder& folder,
                                  std::shared_ptr<WritePermission> permission = nullptr);

  // Like Store::on_activity, for this and all later connections. Call it before other threads use the writer.
  void on_activity(OnActivity on_activity);

  // From now on write() returns this error; with none, it works again. Thread-safe.
  void hold(std::optional<Error> why);
  [[nodiscard]] Status held() const;

  // Returns `function(Store&)`, a Result or Status, called with exclusive use of the connection. Waits for
  // other threads.
  template <class Function>
  auto write(Function&& function) -> decltype(function(std::declval<Store&>())) {
    const Turn turn(*line_, on_activity_);
    QDEDUP_ASSIGN_OR_RETURN(const std::shared_ptr<void> permitted, turn_of(permission_.get()));
    QDEDUP_TRY(connect());
    auto result = std::forward<Function>(function)(*store_);
    if (!result.ok() && store_->check_files().ok()) store_.reset();
    return result;
  }

  // Closes the connection and prevents all writes while the result lives. Waits for other threads.
  [[nodiscard]] std::shared_ptr<void> stand_aside();

 private:
  // Grants one thread at a time the use of the connection.
  struct Line {
    std::mutex mutex;
    std::condition_variable moved;
    bool is_taken = false;
    std::optional<Error> held;
  };

  // Exclusive use of the connection while it lives.
  class Turn {
   public:
    Turn(Line& line, const OnActivity& on_activity);  // reports repeatedly while it waits
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
  DatabaseFiles files_;  // as they were at first: those of another store are not opened
  std::shared_ptr<WritePermission> permission_;
  std::unique_ptr<Line> line_;
  OnActivity on_activity_;
  std::optional<Store> store_;
};

// The state, open for writing.
struct WritableState {
  std::optional<StateLock> lock;  // none: taken for each transaction, by permission
  StoreWriter store;
  Bank bank;
  std::string user;        // who writes, for the audit
  bool lost_bank = false;  // it was missing, and the bank is a new one
};

// What to do if bank.db is missing while the store remembers one. In an empty bank, every listed question
// would be gone.
enum class LostBank { refuse, make_anew };

// Fails where the bank is an older one than the store rests on: what was listed or has arrived would be gone,
// or have other texts.
Status expect_no_older(Bank& bank, Store& store);

// Takes the lock, and creates the state if there is none. With a permission it opens the state of a running
// daemon, which has the lock.
Result<std::shared_ptr<WritableState>> open_writable_state(
    const StateFolder& folder, const std::shared_ptr<WritePermission>& permission = nullptr,
    LostBank lost = LostBank::refuse);

}  // namespace qdedup::db
