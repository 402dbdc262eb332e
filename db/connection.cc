#include "db/connection.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace qdedup::db {
namespace {

ErrorCode code_of(int sqlite_code) {
  switch (sqlite_code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
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

Error damaged(const std::string& path, const Schema& schema, std::string_view what) {
  return {ErrorCode::data,
          path + ": " + std::string(what) + "; nothing was changed. " + std::string(schema.when_damaged)};
}

// Page size and page count as the first page of a database states them (SQLite file format, 1.3).
struct FileHeader {
  std::uint64_t page_size;
  std::uint64_t page_count;
};

// Nothing when the file does not begin like a database. Reads through the connection: a descriptor of our
// own, closed, would drop the locks of all connections of this process (POSIX).
std::optional<FileHeader> read_header(SQLite::Database& database) {
  sqlite3_file* file = nullptr;
  std::array<unsigned char, 100> bytes{};
  database.check(sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file));
  const int outcome = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
  if (outcome != SQLITE_IOERR_SHORT_READ) database.check(outcome);

  constexpr std::string_view magic("SQLite format 3\0", 16);
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()), magic.size());
  if (start != magic) return std::nullopt;
  const std::uint64_t stated = (std::uint64_t{bytes[16]} << 8U) | bytes[17];
  const std::uint64_t pages = (std::uint64_t{bytes[28]} << 24U) | (std::uint64_t{bytes[29]} << 16U) |
                              (std::uint64_t{bytes[30]} << 8U) | bytes[31];
  return FileHeader{stated == 1 ? 65536 : stated, pages};
}

// SQLite makes -wal before -shm and removes -shm before -wal. Looks at -shm twice, as another process may be
// doing that.
bool has_lost_wal(const std::string& path) {
  std::error_code failure;
  const auto is_there = [&](const char* suffix) { return std::filesystem::exists(path + suffix, failure); };
  return is_there("-shm") && !is_there("-wal") && is_there("-shm");
}

// Refuses what SQLite itself would take for an empty database, or find out about late.
Status check_file(SQLite::Database& database, const std::string& path, const Schema& schema) {
  const std::optional<FileHeader> header = read_header(database);
  if (!header) return damaged(path, schema, "is no SQLite database, or was overwritten");
  std::error_code failure;
  const std::uint64_t size = std::filesystem::file_size(path, failure);
  if (failure) return Error{ErrorCode::io, path + ": " + failure.message()};
  if (has_lost_wal(path)) {
    return damaged(path, schema, "has lost its -wal file, and with it what was written last");
  }
  const std::uintmax_t wal_size = std::filesystem::file_size(path + "-wal", failure);
  const bool wal_holds_pages = !failure && wal_size > 0;
  if (!wal_holds_pages && size < header->page_size * header->page_count) {
    return damaged(path, schema, "was cut off");
  }
  return {};
}

int integer_pragma(SQLite::Database& database, const char* pragma) {
  return database.execAndGet(pragma).getInt();
}

void configure(SQLite::Database& database, Access access) {
  database.exec("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL;");
  // A backup that was put in its place may be in another journal mode. What the -wal file takes while
  // somebody reads for long is given back, down to 256 MiB.
  database.exec(access == Access::read_only
                    ? "PRAGMA query_only = ON;"
                    : "PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 268435456;");
}

void migrate(SQLite::Database& database, const Schema& schema) {
  for (int version = integer_pragma(database, "PRAGMA user_version"); version < schema.version(); ++version) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec(schema.steps[static_cast<std::size_t>(version)]);
    database.exec("PRAGMA user_version = " + std::to_string(version + 1));
    transaction.commit();
  }
}

Status sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // NOLINT(*-vararg)
  if (descriptor < 0) return errno_error(folder, errno);
  const bool synced = ::fsync(descriptor) == 0;
  const int reason = errno;
  ::close(descriptor);
  return synced ? Status() : errno_error(folder, reason);
}

// Makes the database under another name first, so that a file at `path` is complete from its first moment.
Status create(const std::string& path, const Schema& schema) {
  const std::string draft = path + ".new";
  std::error_code failure;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(draft + suffix, failure);
  }
  QDEDUP_TRY(guarded(path, [&] {
    SQLite::Database database(draft, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms);
    database.exec("PRAGMA synchronous = FULL;");
    database.exec("PRAGMA application_id = " + std::to_string(schema.application_id));
    migrate(database, schema);
    database.exec("PRAGMA journal_mode = WAL;");
  }));
  std::filesystem::rename(draft, path, failure);
  if (failure) return Error{ErrorCode::cannot_create, path + ": " + failure.message()};
  return sync_folder_of(path);
}

Status check_schema(SQLite::Database& database, const std::string& path, const Schema& schema,
                    Access access) {
  if (integer_pragma(database, "PRAGMA application_id") != schema.application_id) {
    return damaged(path, schema, "is the database of another program");
  }
  const int version = integer_pragma(database, "PRAGMA user_version");
  if (version > schema.version()) {
    return Error{ErrorCode::data, path + ": was written by a newer qdedup (schema " +
                                      std::to_string(version) + ", this one knows up to " +
                                      std::to_string(schema.version()) +
                                      "); nothing was changed. Use that version, or a newer one"};
  }
  if (version < schema.version() && access == Access::read_only) {
    return Error{ErrorCode::data,
                 path + ": was written by an older qdedup; it is brought up to date by the next " +
                     "command that changes the state"};
  }
  return {};
}

// Through a connection of its own that cannot write: a file that is refused is not even checkpointed.
Status check(const std::string& path, const Schema& schema, Access access) {
  if (::access(path.c_str(), R_OK) != 0) return errno_error(path, errno);
  SQLite::Database database(path, SQLite::OPEN_READONLY, busy_timeout_ms);
  QDEDUP_TRY(check_file(database, path, schema));
  return check_schema(database, path, schema, access);
}

}  // namespace

Error sqlite_error(std::string_view subject, const SQLite::Exception& exception) {
  return {code_of(exception.getErrorCode()), std::string(subject) + ": " + exception.what()};
}

Result<SQLite::Database> open_database(const std::string& path, const Schema& schema, Access access) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    if (access == Access::read_only) {
      return Error{ErrorCode::no_input, path + ": does not exist; `qdedup import` makes it"};
    }
    if (std::filesystem::exists(path + "-wal", failure)) {
      return damaged(path, schema, "is missing, but its -wal file is there");
    }
    QDEDUP_TRY(create(path, schema));
  }
  try {
    QDEDUP_TRY(check(path, schema, access));
    const int mode = access == Access::read_write ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY;
    SQLite::Database database(path, mode | SQLite::OPEN_NOMUTEX, busy_timeout_ms);
    configure(database, access);
    if (access == Access::read_write) migrate(database, schema);
    return database;
  } catch (const SQLite::Exception& exception) {
    return sqlite_error(path, exception);
  }
}

void report_activity(SQLite::Database& database, OnActivity* told) {
  constexpr int instructions_between = 100'000;
  const auto step = [](void* callback) {
    (*static_cast<OnActivity*>(callback))(Activity::step);
    return 0;
  };
  const auto commit = [](void* callback) {
    (*static_cast<OnActivity*>(callback))(Activity::commit);
    return 0;
  };
  sqlite3_progress_handler(database.getHandle(), instructions_between, step, told);
  sqlite3_commit_hook(database.getHandle(), commit, told);
}

}  // namespace qdedup::db
