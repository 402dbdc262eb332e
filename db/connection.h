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

struct Schema;

enum class Access { read_write, read_only };

// What a connection reports while it works, on the working thread.
enum class Activity {
  step,    // a statement is running, or waiting for other threads; reported repeatedly
  commit,  // a commit begins, which may take long and reports nothing until it is done
};

using OnActivity = std::function<void(Activity)>;

// Lets this process change the state while another one, the daemon, holds it.
class WritePermission {
 public:
  WritePermission() = default;
  WritePermission(const WritePermission&) = delete;
  WritePermission& operator=(const WritePermission&) = delete;
  virtual ~WritePermission() = default;

  // Waits for its turn: while the result lives, this process holds the state's lock.
  virtual Result<std::shared_ptr<void>> take_turn() = 0;

  // Who writes, as the other process learns from the kernel: this one may be in its own user namespace.
  [[nodiscard]] virtual std::string user() const = 0;

  // Called before each commit, which fails with ErrorCode::busy once the permission was withdrawn.
  [[nodiscard]] virtual bool stands() = 0;
};

// Why a commit was refused, for error messages.
inline constexpr std::string_view lease_ended =
    "the daemon has ended this command's lease, or itself; what was stored before stays, so run it again";

// Takes a turn of `permission`; does nothing without one.
inline Result<std::shared_ptr<void>> turn_of(WritePermission* permission) {
  return permission == nullptr ? std::shared_ptr<void>() : permission->take_turn();
}

// An open database of a state: the store or the bank. Not thread-safe. Commits fail once the permission, if
// there is one, was withdrawn, or when the files are no longer the ones that were opened.
class Connection {
 public:
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) = delete;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] SQLite::Database& database() { return *database_; }

  // Reports its activity from now on.
  void on_activity(OnActivity on_activity);
  [[nodiscard]] const OnActivity& on_activity() const;

  // Reports activity on behalf of code that processes what was read here. Callable on any thread if
  // `on_activity` is.
  void report_activity() const;

  // Commits only while `permission` stands, from now on.
  void use(std::shared_ptr<WritePermission> permission);

  // Hold the result while writing.
  [[nodiscard]] Result<std::shared_ptr<void>> take_turn();

  // For a database open for writing: an error if its files are no longer where they were when it was opened.
  [[nodiscard]] Status check_files() const;

  // An error if the database no longer has the schema that qdedup makes.
  [[nodiscard]] Status check_schema();

 protected:
  // `schema` must outlive it.
  Connection(const std::string& path, SQLite::Database database, const Schema& schema, Access access);
  ~Connection();

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;  // on the heap because SQLite keeps a pointer to it
  std::unique_ptr<SQLite::Database> database_;
};

// Why this thread's last commit was refused, if it was; reported once.
std::optional<Error> take_commit_refusal();

}  // namespace qdedup::db
