#include "db/connection.h"

#include <exception>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "db/database.h"
#include "db/state_folder.h"

namespace qdedup::db {
namespace {

// Owns it; no smart pointer, as glibc aborts where it has no memory to note that a thread is to destroy one.
thread_local Error* commit_refusal = nullptr;

}  // namespace

struct Connection::Watch {
  std::string path;
  const Schema& schema;
  Access access;
  OnActivity on_activity = {};
  std::optional<DatabaseFiles> files = {};  // of a writing connection
  std::shared_ptr<WritePermission> permission = {};

  [[nodiscard]] Status check_files() const { return files ? files->check() : Status(); }

  [[nodiscard]] Status begin_commit() const {
    if (on_activity) on_activity(Activity::commit);
    if (permission && !permission->stands())
      return Error{ErrorCode::busy, path + ": " + std::string(lease_ended)};
    return check_files();
  }

  // Hooks for SQLite, which must not throw.

  // Returns 1 to roll back.
  static int commit(void* watch) noexcept {
    (void)take_commit_refusal();
    try {
      Status allowed = static_cast<Watch*>(watch)->begin_commit();
      if (!allowed.ok()) commit_refusal = new Error(std::move(allowed).error());
    } catch (const std::exception& exception) {
      commit_refusal = new Error(exception_error(exception));
    }
    return commit_refusal != nullptr ? 1 : 0;
  }

  static int step(void* watch) {
    static_cast<Watch*>(watch)->on_activity(Activity::step);
    return 0;
  }
};

Connection::Connection(const std::string& path, SQLite::Database database, const Schema& schema,
                       Access access)
    : watch_(std::make_unique<Watch>(Watch{path, schema, access})),
      database_(std::make_unique<SQLite::Database>(std::move(database))) {
  if (access == Access::read_write) watch_->files.emplace(path);
  sqlite3_commit_hook(database_->getHandle(), Watch::commit, watch_.get());
}

Connection::Connection(Connection&&) noexcept = default;
Connection::~Connection() = default;

const std::string& Connection::path() const { return watch_->path; }

void Connection::on_activity(OnActivity on_activity) {
  constexpr int instructions_between = 100'000;
  watch_->on_activity = std::move(on_activity);
  sqlite3_progress_handler(database_->getHandle(), watch_->on_activity ? instructions_between : 0,
                           Watch::step, watch_.get());
}

const OnActivity& Connection::on_activity() const { return watch_->on_activity; }

void Connection::report_activity() const {
  if (watch_->on_activity) watch_->on_activity(Activity::step);
}

void Connection::use(std::shared_ptr<WritePermission> permission) {
  watch_->permission = std::move(permission);
}

Result<std::shared_ptr<void>> Connection::take_turn() { return turn_of(watch_->permission.get()); }

Status Connection::check_files() const { return watch_->check_files(); }

Status Connection::check_schema() {
  return guarded(path(),
                 [this] { return db::check_schema(database(), path(), watch_->schema, watch_->access); });
}

std::optional<Error> take_commit_refusal() {
  const std::unique_ptr<Error> refusal(std::exchange(commit_refusal, nullptr));
  return refusal ? std::optional(std::move(*refusal)) : std::nullopt;
}

}  // namespace qdedup::db
