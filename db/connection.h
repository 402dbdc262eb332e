#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace SQLite {
class Database;
}

namespace qdedup::db {

enum class Access { read_write, read_only };

// What a connection reports while it works, on the thread that works.
enum class Activity {
  step,    // a statement is running, or waits for other threads; reported again and again
  commit,  // a commit begins, which may take long and reports nothing until it is done
};

using OnActivity = std::function<void(Activity)>;

// How this process may change the state while another one, the daemon, holds it.
class WritePermission {
 public:
  WritePermission() = default;
  WritePermission(const WritePermission&) = delete;
  WritePermission& operator=(const WritePermission&) = delete;
  virtual ~WritePermission() = default;

  // Waits for its turn: while the result lives, this process holds the state's lock.
  virtual Result<std::shared_ptr<void>> take_turn() = 0;

  // Who writes, as the other process knows it from the kernel: this one may be in a namespace of its own.
  [[nodiscard]] virtual std::string user() const = 0;

  // Asked before each commit, which fails with ErrorCode::busy once the permission was withdrawn.
  [[nodiscard]] virtual bool stands() = 0;
};

// Why a commit was refused, for error messages.
inline constexpr std::string_view lease_ended =
    "the daemon has ended this command's lease, or itself; what was stored before stays, so run it again";

// The turn that `permission` gives; without one none is needed.
inline Result<std::shared_ptr<void>> turn_of(WritePermission* permission) {
  return permission == nullptr ? std::shared_ptr<void>() : permission->take_turn();
}

// An open database of a state: the store or the bank. For one thread at a time. A commit fails while the
// permission, if there is one, does not stand, or while the files are not the ones that were opened.
class Connection {
 public:
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] SQLite::Database& database() { return *database_; }

  // From now on its activity is reported.
  void on_activity(OnActivity on_activity);
  [[nodiscard]] const OnActivity& on_activity() const;

  // Reports activity, of one who works with what was read here. From any thread, if `on_activity` may be
  // called so.
  void report_activity() const;

  // From now on it commits only while `permission` stands.
  void use(std::shared_ptr<WritePermission> permission);

  // To be held while something is written.
  [[nodiscard]] Result<std::shared_ptr<void>> take_turn();

  // An error while the files of a database that is open for writing are not where they were when it was
  // opened.
  [[nodiscard]] Status check_files() const;

 protected:
  Connection(const std::string& path, SQLite::Database database, Access access);
  ~Connection();

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;  // that SQLite has a pointer to
  std::unique_ptr<SQLite::Database> database_;
};

// Why this thread's last commit was refused, if it was and this was not asked yet.
std::optional<Error> take_commit_refusal();

}  // namespace qdedup::db
