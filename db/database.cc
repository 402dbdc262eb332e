#include "db/database.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "base/escaped.h"
#include "base/file_descriptor.h"
#include "db/file_format.h"
#include "db/state_folder.h"
#include "db/wal_check.h"

namespace qdedup::db {
namespace {

constexpr int busy_timeout_ms = 10'000;  // how long to wait for the lock of another connection

ErrorCode code_of(int sqlite_code) {
  switch (sqlite_code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
      return ErrorCode::busy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::data;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return ErrorCode::io;
    default:
      return ErrorCode::internal;
  }
}

Error refused(const std::string& path, std::string_view what, std::string_view what_to_do) {
  return {ErrorCode::data,
          path + ": " + std::string(what) + "; nothing was changed. " + std::string(what_to_do)};
}

Error damaged(const std::string& path, std::string_view what) {
  return refused(path, what, how_to_mend(path));
}

Error of_schema(const std::string& path, int version, const Schema& schema) {
  const std::string found = "(schema " + std::to_string(version) + ", this one knows ";
  if (version > schema.version()) {
    return refused(
        path, "was written by a newer qdedup " + found + "up to " + std::to_string(schema.version()) + ")",
        "Use that version, or a newer one");
  }
  return refused(path,
                 "was written by an earlier qdedup " + found + "none before " +
                     std::to_string(schema.first_version) + ")",
                 "That one still reads it; begin a new state folder with this one");
}

Result<std::uint64_t> size_of(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(path, failure);
  if (failure == std::errc::no_such_file_or_directory) return std::uint64_t{0};
  if (failure) return errno_error(path, failure.value());
  return std::uint64_t{size};
}

// Refuses files that SQLite would take for an empty database, or would reject only later.
Status check_file(SQLite::Database& database, const std::string& path, const Schema& schema) {
  const std::optional<FileHeader> header = read_header(database);
  if (!header) return damaged(path, "is no SQLite database, or was overwritten");
  if (!header->has_checksums) {
    if (header->application_id != schema.application_id) {
      return damaged(path, "is the database of another program");
    }
    if (header->version < schema.first_version) return of_schema(path, header->version, schema);
    return damaged(path, "page 1 is damaged");
  }
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t size, size_of(path));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t log_size, size_of(path + "-wal"));
  const bool log_is_empty = log_size < static_cast<std::uint64_t>(frame_offset(2));
  if (!log_is_empty && !header->in_wal_mode) {
    return refused(path, "is a backup, beside the -wal file of another database", "Move -wal and -shm away");
  }
  if (log_is_empty && size < page_bytes * header->page_count) return damaged(path, "was cut off");
  return {};
}

int integer_pragma(SQLite::Database& database, const char* pragma) {
  return database.execAndGet(pragma).getInt();
}

// Members may write the state, but must not have others run what they put there. qdedup's own triggers only
// guard against other programs.
void disable_stored_code(SQLite::Database& database) {
  for (const int option : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW}) {
    database.check(sqlite3_db_config(database.getHandle(), option, 0, nullptr));
  }
  sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, largest_row);
}

void configure(SQLite::Database& database, Access access) {
  disable_stored_code(database);
  database.exec("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL;");
  // Keeps -wal and -shm when the last connection closes, because a read-only process could not create them.
  int keeps_wal = 1;
  database.check(sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_PERSIST_WAL, &keeps_wal));
  if (access == Access::read_only) {
    database.exec("PRAGMA query_only = ON");
    return;
  }
  // A backup was put in its place. This writes only its first page.
  if (database.execAndGet("PRAGMA journal_mode").getString() != "wal") {
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA journal_mode = WAL");
  }
  // After a long read, a -wal file that has grown is cut to 256 MiB.
  database.exec("PRAGMA journal_size_limit = " + std::to_string(largest_kept_log));
}

// Runs `statements`, which upgrade to `version`, in one transaction.
void bring_to(SQLite::Database& database, int version, const char* statements) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  database.exec(statements);
  database.exec("PRAGMA user_version = " + std::to_string(version));
  transaction.commit();
}

void migrate(SQLite::Database& database, const Schema& schema) {
  for (int version = integer_pragma(database, "PRAGMA user_version"); version < schema.version(); ++version) {
    bring_to(database, version + 1, schema.steps[static_cast<std::size_t>(version - schema.first_version)]);
  }
}

// Creates the database under another name first, so that the file at `path` is complete from the start.
Status create(const std::string& path, const Schema& schema) {
  const std::string draft = path + ".new";
  std::error_code failure;
  std::filesystem::remove(draft, failure);
  QDEDUP_TRY(open_state_file(draft));
  QDEDUP_TRY(guarded(path, [&] {
    SQLite::Database database = connect_draft(draft);
    database.exec("PRAGMA application_id = " + std::to_string(schema.application_id));
    bring_to(database, schema.first_version, schema.definition);
    migrate(database, schema);
    finish_draft(database, true);
  }));
  std::filesystem::rename(draft, path, failure);
  if (failure) return Error{ErrorCode::cannot_create, path + ": " + failure.message()};
  return sync_folder_of(path) ? Status() : Status(errno_error(path, errno));
}

// Every table, index and trigger with the statement that made it, in order.
std::vector<std::string> objects_in(SQLite::Database& database) {
  std::vector<std::string> objects;
  SQLite::Statement rows(
      database,
      "SELECT coalesce(sql, '-') || ' ' || type || ' ' || name || ' ' || tbl_name FROM sqlite_schema");
  while (rows.executeStep()) objects.push_back(rows.getColumn(0).getString());
  std::ranges::sort(objects);
  return objects;
}

std::vector<std::string> make_objects(const Schema& schema, int version) {
  SQLite::Database made(":memory:", SQLite::OPEN_READWRITE);
  made.exec(schema.definition);
  for (int step = schema.first_version; step < version; ++step) {
    made.exec(schema.steps[static_cast<std::size_t>(step - schema.first_version)]);
  }
  return objects_in(made);
}

// What a database of that version holds. Made once in a process, as every opening checks it twice.
const std::vector<std::string>& objects_of(const Schema& schema, int version) {
  static std::mutex guard;
  static std::map<std::pair<std::string_view, int>, std::vector<std::string>> known;
  const std::lock_guard lock(guard);
  auto& objects = known[{schema.definition, version}];
  if (objects.empty()) objects = make_objects(schema, version);
  return objects;
}

// An object that the schema of that version does not have, or one that it has and that is missing.
std::optional<std::string> foreign_object(SQLite::Database& database, int version, const Schema& schema) {
  std::vector<std::string> differing;
  std::ranges::set_symmetric_difference(objects_in(database), objects_of(schema, version),
                                        std::back_inserter(differing));
  return differing.empty() ? std::nullopt : std::optional(differing.front());
}

// Uses a separate read-only connection, so that a file that is refused is not even checkpointed.
Status check(const std::string& path, const Schema& schema, Access access) {
  if (::access(path.c_str(), R_OK) != 0) return errno_error(path, errno);
  for (const char* suffix : {"", "-wal", "-shm"}) QDEDUP_TRY(check_state_file(path + suffix));
  {
    // Checked before anything touches -wal and -shm, which may belong to another database that this process
    // has open.
    SQLite::Database file = connect(path, SQLite::OPEN_READONLY);
    QDEDUP_TRY(check_file(file, path, schema));
  }
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> log_damage, find_log_damage(path));
  if (log_damage) return damaged(path, *log_damage);
  SQLite::Database database = connect(path, SQLite::OPEN_READONLY);
  return check_schema(database, path, schema, access);
}

}  // namespace

Status check_schema(SQLite::Database& database, const std::string& path, const Schema& schema,
                    Access access) {
  if (integer_pragma(database, "PRAGMA application_id") != schema.application_id) {
    return damaged(path, "is the database of another program");
  }
  const int version = integer_pragma(database, "PRAGMA user_version");
  if (version < schema.first_version || version > schema.version()) return of_schema(path, version, schema);
  if (version < schema.version() && access == Access::read_only) {
    return Error{ErrorCode::data,
                 path + ": was written by an older qdedup; it is brought up to date by the next " +
                     "command that changes the state"};
  }
  constexpr std::size_t most_shown = 80;
  if (const auto foreign = foreign_object(database, version, schema)) {
    return damaged(path, "has another schema than qdedup makes (" +
                             escaped(foreign->substr(0, std::min(foreign->find('('), most_shown))) + ")");
  }
  return {};
}

std::string_view how_to_mend(std::string_view path) {
  return path.ends_with("bank.db") ? "Move bank.db, -wal and -shm away and import the questions again"
                                   : "Move qdedup.db, -wal and -shm away and put a backup in its place: cp "
                                     "--remove-destination BACKUP qdedup.db";
}

Result<bool> is_there(const std::string& path) {
  std::error_code failure;
  const auto type = std::filesystem::status(path, failure).type();
  if (type == std::filesystem::file_type::not_found) return false;
  if (type == std::filesystem::file_type::none) return errno_error(path, failure.value());
  return true;
}

SQLite::Database connect(const std::string& path, int flags, const char* vfs) {
  flags |= SQLITE_OPEN_NOFOLLOW;
  if (is_by_descriptor(path)) return {path, flags, busy_timeout_ms, vfs};
  const std::filesystem::path parts(path);
  std::error_code failure;
  const auto folder =
      std::filesystem::canonical(parts.has_parent_path() ? parts.parent_path() : ".", failure);
  return {failure ? path : (folder / parts.filename()).string(), flags, busy_timeout_ms, vfs};
}

SQLite::Database connect_draft(const std::string& path) {
  SQLite::Database draft = connect(path, SQLite::OPEN_READWRITE, draft_vfs());
  int reserved = checksum_bytes;
  draft.exec("PRAGMA journal_mode = MEMORY; PRAGMA page_size = " + std::to_string(page_bytes));
  draft.check(sqlite3_file_control(draft.getHandle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved));
  return draft;
}

// Bypasses SQLite, which would open the log to do this.
void finish_draft(SQLite::Database& draft, bool in_wal_mode) {
  sqlite3_file* const file = file_of(draft, SQLITE_FCNTL_FILE_POINTER);
  std::array<std::byte, page_bytes> page{};
  draft.check(file->pMethods->xRead(file, page.data(), page_bytes, 0));
  page[18] = page[19] = in_wal_mode ? std::byte{2} : std::byte{1};
  draft.check(file->pMethods->xWrite(file, page.data(), page_bytes, 0));
  draft.check(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL));
}

sqlite3_file* file_of(SQLite::Database& database, int which) {
  sqlite3_file* file = nullptr;
  database.check(sqlite3_file_control(database.getHandle(), "main", which, &file));
  return file;
}

std::optional<FileHeader> read_header(SQLite::Database& database) {
  sqlite3_file* const file = file_of(database, SQLITE_FCNTL_FILE_POINTER);
  std::array<std::byte, 100> bytes{};
  const int outcome = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
  if (outcome != SQLITE_IOERR_SHORT_READ) database.check(outcome);

  constexpr std::string_view magic("SQLite format 3\0", 16);
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), magic.size());
  if (start != magic) return std::nullopt;
  return FileHeader{big_endian(bytes, 28), static_cast<int>(big_endian(bytes, 60)),
                    static_cast<int>(big_endian(bytes, 68)), leaves_room_for_checksums(bytes),
                    bytes[18] == std::byte{2}};
}

std::optional<std::string> damage_in(const SQLite::Exception& exception) {
  std::optional<std::string> found = take_damage();
  // SQLite drops the exact code while it reads the schema.
  if ((exception.getErrorCode() & 0xFF) != SQLITE_IOERR) found.reset();
  return found;
}

Error sqlite_error(std::string_view subject, const SQLite::Exception& exception) {
  if (const std::optional<std::string> found = damage_in(exception)) {
    return {ErrorCode::data, std::string(subject) + ": " + *found + "; `qdedup verify` says what it holds. " +
                                 std::string(how_to_mend(subject))};
  }
  if (std::optional<Error> refusal = take_commit_refusal();
      refusal && exception.getExtendedErrorCode() == SQLITE_CONSTRAINT_COMMITHOOK) {
    return *std::move(refusal);
  }
  return {code_of(exception.getErrorCode()), std::string(subject) + ": " + exception.what()};
}

Result<SQLite::Database> open_database(const std::string& path, const Schema& schema, Access access) {
  QDEDUP_ASSIGN_OR_RETURN(const bool exists, is_there(path));
  if (!exists) {
    if (access == Access::read_only) {
      return Error{ErrorCode::no_input, path + ": does not exist; `qdedup import` makes it"};
    }
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t log_size, size_of(path + "-wal"));
    if (log_size > 0) return damaged(path, "is missing, but its -wal file is there");
    QDEDUP_TRY(create(path, schema));
  }
  (void)take_damage();
  try {
    QDEDUP_TRY(check(path, schema, access));
    const int mode = access == Access::read_write ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY;
    SQLite::Database database = connect(path, mode | SQLite::OPEN_NOMUTEX);
    configure(database, access);
    QDEDUP_TRY(check_schema(database, path, schema, access));  // it may have been exchanged meanwhile
    if (access == Access::read_write) migrate(database, schema);
    return database;
  } catch (const SQLite::Exception& exception) {
    const Result<bool> has_index = is_there(path + "-shm");
    if (access == Access::read_only && exception.getErrorCode() == SQLITE_CANTOPEN && has_index.ok() &&
        !*has_index) {
      return Error{ErrorCode::io, path + ": whoever may not write to its folder can read it only once a " +
                                      "command that changes the state, or the daemon, has opened it"};
    }
    return sqlite_error(path, exception);
  }
}

}  // namespace qdedup::db
