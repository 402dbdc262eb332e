#include "db/checked_vfs.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/file_descriptor.h"
#include "db/file_format.h"

namespace qdedup::db {
namespace {

struct Damage {
  bool in_log;
  std::uint64_t page;
};
thread_local std::optional<Damage> noted;

int refuse(bool in_log, std::uint64_t page) {
  noted = Damage{in_log, page};
  return SQLITE_IOERR_DATA;
}

using FileId = std::pair<dev_t, ino_t>;

// The databases that this process has open, with the number of connections.
struct OpenDatabases {
  std::mutex mutex;
  std::map<FileId, int> counts;  // with the mutex alone
};

OpenDatabases& open_databases() {
  static OpenDatabases databases;
  return databases;
}

std::optional<FileId> id_of(const char* path) {
  struct stat status {};
  if (::stat(path, &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

// Frames on their way to a log, in one write. The transaction has not ended, so nobody else reads them.
struct PendingFrames {  // NOLINT(*-member-init): its bytes, as most connections need few
  static constexpr sqlite3_int64 nowhere = -1;

  std::size_t size = 0;  // may end with the header of a frame whose page is still to come
  sqlite3_int64 at = nowhere;
  std::array<std::byte, 16 * frame_bytes> bytes;

  void drop() {
    size = 0;
    at = nowhere;
  }
  [[nodiscard]] sqlite3_int64 end() const { return at + static_cast<sqlite3_int64>(size); }
};

// A database or its log as SQLite sees it; the data of SQLite's own layer follows in memory. SQLite allocates
// the memory but never runs a destructor, so the type must be trivial.
struct CheckedFile {
  sqlite3_file base;
  sqlite3_file* real;

  // Of a database.
  FileId id;
  CheckedFile* log;  // null while it is closed

  // Of a log.
  CheckedFile* database;
  PendingFrames* pending;  // null until something is written
};
static_assert(std::is_trivially_destructible_v<CheckedFile>);

CheckedFile& checked(sqlite3_file* file) { return *reinterpret_cast<CheckedFile*>(file); }
sqlite3_file* real_file(sqlite3_file* file) { return checked(file).real; }

sqlite3_vfs* real_vfs(sqlite3_vfs* vfs) { return static_cast<sqlite3_vfs*>(vfs->pAppData); }

// Functions of the layer that only forward to the real one.
template <auto method>
struct Forwarded;
template <class Outcome, class... Arguments,
          Outcome (*sqlite3_io_methods::*method)(sqlite3_file*, Arguments...)>
struct Forwarded<method> {
  static Outcome call(sqlite3_file* file, Arguments... arguments) {
    sqlite3_file* const real = real_file(file);
    return (real->pMethods->*method)(real, arguments...);
  }
};
template <class Outcome, class... Arguments, Outcome (*sqlite3_vfs::*method)(sqlite3_vfs*, Arguments...)>
struct Forwarded<method> {
  static Outcome call(sqlite3_vfs* vfs, Arguments... arguments) {
    sqlite3_vfs* const real = real_vfs(vfs);
    return (real->*method)(real, arguments...);
  }
};

int read_real(CheckedFile& file, void* bytes, std::size_t count, sqlite3_int64 offset) {
  return file.real->pMethods->xRead(file.real, bytes, static_cast<int>(count), offset);
}

int write_real(CheckedFile& file, const void* bytes, std::size_t count, sqlite3_int64 offset) {
  return file.real->pMethods->xWrite(file.real, bytes, static_cast<int>(count), offset);
}

bool is_page(int count, sqlite3_int64 offset) {
  return count == int{page_bytes} && offset % sqlite3_int64{page_bytes} == 0;
}

// Whether this is a page of the log.
bool is_framed_page(int count, sqlite3_int64 offset) {
  constexpr sqlite3_int64 first = wal_header_bytes + frame_header_bytes;
  return count == int{page_bytes} && offset >= first && (offset - first) % sqlite3_int64{frame_bytes} == 0;
}

bool is_frame_header(int count, sqlite3_int64 offset) {
  return count == int{frame_header_bytes} &&
         is_framed_page(int{page_bytes}, offset + sqlite3_int64{frame_header_bytes});
}

std::uint64_t page_at(sqlite3_int64 offset) { return static_cast<std::uint64_t>(offset) / page_bytes + 1; }

bool is_sound(std::span<const std::byte, page_bytes> page, sqlite3_int64 offset) {
  return checksum_holds(page, page_at(offset)) && (offset > 0 || leaves_room_for_checksums(page));
}

// Shorter reads concern the header, which SQLite reads again with its page.
constexpr int least_page = 512;

int read_database(sqlite3_file* base, void* bytes, int count, sqlite3_int64 offset) {
  CheckedFile& file = checked(base);
  const std::uint64_t number = page_at(offset);
  if (count < least_page) return read_real(file, bytes, static_cast<std::size_t>(count), offset);
  if (!is_page(count, offset)) return refuse(false, number);
  // Tries twice, because a process that is just opening the database may race with another one that
  // checkpoints its log.
  for (int i = 0; i < 2; ++i) {
    const int outcome = read_real(file, bytes, page_bytes, offset);
    if (outcome != SQLITE_OK && outcome != SQLITE_IOERR_SHORT_READ) return outcome;
    const std::span<const std::byte, page_bytes> page(static_cast<std::byte*>(bytes), page_bytes);
    if (outcome == SQLITE_OK && is_sound(page, offset)) return SQLITE_OK;
  }
  return refuse(false, number);
}

int write_database(sqlite3_file* base, const void* bytes, int count, sqlite3_int64 offset) {
  std::array<std::byte, page_bytes> page;  // NOLINT(*-member-init): for each page that is written
  if (!is_page(count, offset)) return SQLITE_IOERR_WRITE;
  std::memcpy(page.data(), bytes, page_bytes);
  if (offset == 0 && !leaves_room_for_checksums(page)) return SQLITE_IOERR_WRITE;
  set_checksum(page, page_at(offset));
  return write_real(checked(base), page.data(), page_bytes, offset);
}

// Writes the pending frames. If that fails, they are lost, and with them their transaction, which SQLite then
// allows nothing but to be rolled back.
int flush(CheckedFile& log) {
  if (log.pending == nullptr || log.pending->size == 0) return SQLITE_OK;
  const int outcome = write_real(log, log.pending->bytes.data(), log.pending->size, log.pending->at);
  log.pending->drop();
  return outcome;
}

bool follows_pending(const CheckedFile& log, sqlite3_int64 offset) {
  return log.pending != nullptr && log.pending->end() == offset;
}

int write_later(CheckedFile& log, const void* bytes, std::size_t count, sqlite3_int64 offset) {
  if (log.pending == nullptr) log.pending = new (std::nothrow) PendingFrames;
  if (log.pending == nullptr) return SQLITE_NOMEM;
  PendingFrames& pending = *log.pending;
  if (!follows_pending(log, offset) || pending.size + count > pending.bytes.size()) {
    if (const int failed = flush(log); failed != SQLITE_OK) return failed;
    pending.at = offset;
  }
  std::memcpy(pending.bytes.data() + pending.size, bytes, count);
  pending.size += count;
  return SQLITE_OK;
}

// Reads what was written, be it pending or not.
int read_written(CheckedFile& log, void* bytes, std::size_t count, sqlite3_int64 offset) {
  const PendingFrames* const pending = log.pending;
  const auto end = offset + static_cast<sqlite3_int64>(count);
  const bool is_pending = pending != nullptr && offset >= pending->at && end <= pending->end();
  if (!is_pending) return read_real(log, bytes, count, offset);
  std::memcpy(bytes, pending->bytes.data() + (offset - pending->at), count);
  return SQLITE_OK;
}

int read_log(sqlite3_file* base, void* bytes, int count, sqlite3_int64 offset) {
  CheckedFile& file = checked(base);
  if (!is_framed_page(count, offset)) {
    return read_written(file, bytes, static_cast<std::size_t>(count), offset);
  }
  std::array<std::byte, frame_bytes> frame;  // NOLINT(*-member-init): for each page that is read
  const int outcome =
      read_written(file, frame.data(), frame_bytes, offset - sqlite3_int64{frame_header_bytes});
  const auto page = std::span(frame).last<page_bytes>();
  std::memcpy(bytes, page.data(), page_bytes);
  if (outcome != SQLITE_OK) return outcome;
  const FrameHeader header = parse_frame_header(std::span(frame).first<frame_header_bytes>());
  return checksum_holds(page, header.page) ? SQLITE_OK : refuse(true, header.page);
}

// Sets the checksum of a page that the transaction has written before. SQLite then recomputes the checksums
// of the frames from the file.
int write_page_again(CheckedFile& file, const void* bytes, sqlite3_int64 offset) {
  std::array<std::byte, frame_header_bytes> header{};
  std::array<std::byte, page_bytes> page{};
  if (const int failed = flush(file); failed != SQLITE_OK) return failed;
  const int outcome =
      read_real(file, header.data(), header.size(), offset - sqlite3_int64{frame_header_bytes});
  if (outcome != SQLITE_OK) return outcome;
  std::memcpy(page.data(), bytes, page_bytes);
  set_checksum(page, parse_frame_header(header).page);
  return write_real(file, page.data(), page_bytes, offset);
}

// Sets the page's checksum, and updates the frame's to match.
int write_framed_page(CheckedFile& file, const void* bytes, sqlite3_int64 offset) {
  const bool follows_header =
      follows_pending(file, offset) && file.pending->size % frame_bytes == frame_header_bytes;
  if (!follows_header) return write_page_again(file, bytes, offset);

  const sqlite3_int64 frame_at = offset - sqlite3_int64{frame_header_bytes};
  std::array<std::byte, 8> before{};
  int outcome = read_written(file, before.data(), before.size(), checksum_before(frame_at));
  if (outcome == SQLITE_OK) outcome = write_later(file, bytes, page_bytes, offset);
  if (outcome != SQLITE_OK) return outcome;
  const std::span<std::byte, frame_bytes> frame(file.pending->bytes.data() + (frame_at - file.pending->at),
                                                frame_bytes);
  const FrameHeader header = parse_frame_header(frame.first<frame_header_bytes>());
  set_checksum(frame.last<page_bytes>(), header.page);
  set_frame_checksum(frame, frame_checksum(parse_checksum(before), frame));
  return header.commits ? flush(file) : SQLITE_OK;
}

// One that does not go on with the pending frames may be all that SQLite writes there: when it recomputes the
// checksums of frames, no page follows.
int write_frame_header(CheckedFile& file, const void* bytes, sqlite3_int64 offset) {
  if (!follows_pending(file, offset)) {
    if (const int failed = flush(file); failed != SQLITE_OK) return failed;
    const int outcome = write_real(file, bytes, frame_header_bytes, offset);
    if (outcome != SQLITE_OK) return outcome;
  }
  return write_later(file, bytes, frame_header_bytes, offset);
}

int write_log(sqlite3_file* base, const void* bytes, int count, sqlite3_int64 offset) {
  CheckedFile& file = checked(base);
  if (is_framed_page(count, offset)) return write_framed_page(file, bytes, offset);
  if (is_frame_header(count, offset)) return write_frame_header(file, bytes, offset);
  if (offset != 0 || count != int{wal_header_bytes}) return SQLITE_IOERR_WRITE;
  return write_real(file, bytes, wal_header_bytes, offset);
}

int sync_log(sqlite3_file* base, int flags) {
  const int outcome = flush(checked(base));
  return outcome != SQLITE_OK ? outcome : Forwarded<&sqlite3_io_methods::xSync>::call(base, flags);
}

int close_log(sqlite3_file* base) {
  CheckedFile& file = checked(base);
  file.database->log = nullptr;
  delete std::exchange(file.pending, nullptr);
  return Forwarded<&sqlite3_io_methods::xClose>::call(base);
}

// Whoever has the lock of the writer next writes where the frames of a transaction that was rolled back would
// go.
int lock_index(sqlite3_file* base, int first, int count, int flags) {
  constexpr int writer = 0;  // "WAL-mode File Format", 2.3.1
  const CheckedFile* const log = checked(base).log;
  const bool ends_writing = first == writer && (static_cast<unsigned>(flags) & SQLITE_SHM_UNLOCK) != 0;
  if (ends_writing && log != nullptr && log->pending != nullptr) log->pending->drop();
  return Forwarded<&sqlite3_io_methods::xShmLock>::call(base, first, count, flags);
}

int close_database(sqlite3_file* base) {
  const int outcome = Forwarded<&sqlite3_io_methods::xClose>::call(base);
  auto& [mutex, counts] = open_databases();
  const std::lock_guard lock(mutex);
  const auto found = counts.find(checked(base).id);
  if (found != counts.end() && --found->second == 0) counts.erase(found);
  return outcome;
}

// What SQLite may see beside a database.
enum class Beside { log, nothing };

// At most version 2, so that SQLite cannot map the database into memory and bypass this layer. Version 1 has
// no write-ahead log.
template <int version, auto close, auto read, auto write, auto sync>
constexpr sqlite3_io_methods checked_methods = {
    .iVersion = version,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = Forwarded<&sqlite3_io_methods::xTruncate>::call,
    .xSync = sync,
    .xFileSize = Forwarded<&sqlite3_io_methods::xFileSize>::call,
    .xLock = Forwarded<&sqlite3_io_methods::xLock>::call,
    .xUnlock = Forwarded<&sqlite3_io_methods::xUnlock>::call,
    .xCheckReservedLock = Forwarded<&sqlite3_io_methods::xCheckReservedLock>::call,
    .xFileControl = Forwarded<&sqlite3_io_methods::xFileControl>::call,
    .xSectorSize = Forwarded<&sqlite3_io_methods::xSectorSize>::call,
    .xDeviceCharacteristics = Forwarded<&sqlite3_io_methods::xDeviceCharacteristics>::call,
    .xShmMap = Forwarded<&sqlite3_io_methods::xShmMap>::call,
    .xShmLock = lock_index,
    .xShmBarrier = Forwarded<&sqlite3_io_methods::xShmBarrier>::call,
    .xShmUnmap = Forwarded<&sqlite3_io_methods::xShmUnmap>::call,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};
template <Beside beside>
constexpr auto& database_methods =
    checked_methods<beside == Beside::log ? 2 : 1, close_database, read_database, write_database,
                    Forwarded<&sqlite3_io_methods::xSync>::call>;
constexpr auto& log_methods = checked_methods<2, close_log, read_log, write_log, sync_log>;

int open_real(sqlite3_vfs* vfs, const char* name, CheckedFile& file, int flags, int* outcome_flags) {
  return real_vfs(vfs)->xOpen(real_vfs(vfs), name, file.real, flags, outcome_flags);
}

template <Beside beside>
int open_database_file(sqlite3_vfs* vfs, const char* name, CheckedFile& file, int flags, int* outcome_flags) {
  const std::lock_guard lock(open_databases().mutex);
  const int outcome = open_real(vfs, name, file, flags, outcome_flags);
  if (outcome != SQLITE_OK) return outcome;
  file.id = id_of(name).value_or(FileId{});
  try {
    ++open_databases().counts[file.id];
  } catch (const std::bad_alloc&) {
    file.real->pMethods->xClose(file.real);
    return SQLITE_NOMEM;
  }
  file.base.pMethods = &database_methods<beside>;
  return SQLITE_OK;
}

int open_log_file(sqlite3_vfs* vfs, const char* name, CheckedFile& file, int flags, int* outcome_flags) {
  const int outcome = open_real(vfs, name, file, flags, outcome_flags);
  if (outcome != SQLITE_OK) return outcome;
  file.database = &checked(sqlite3_database_file_object(name));
  file.database->log = &file;
  file.base.pMethods = &log_methods;
  return SQLITE_OK;
}

template <Beside beside>
int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* base, int flags, int* outcome_flags) {
  base->pMethods = nullptr;
  // Temporary files disappear with the connection.
  if (name == nullptr) return real_vfs(vfs)->xOpen(real_vfs(vfs), name, base, flags, outcome_flags);
  const bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
  const bool is_seen = is_log ? beside == Beside::log : (flags & SQLITE_OPEN_MAIN_DB) != 0;
  if (!is_seen) return SQLITE_CANTOPEN;
  auto* const file = new (base) CheckedFile{};
  file->real = reinterpret_cast<sqlite3_file*>(file + 1);
  try {
    const auto open = is_log ? open_log_file : open_database_file<beside>;
    return open(vfs, name, *file, flags, outcome_flags);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

// Called when SQLite looks for files beside a database.
template <Beside beside>
int look_for_file(sqlite3_vfs* vfs, const char* name, int flags, int* found) {
  *found = 0;
  if (beside == Beside::nothing || !std::string_view(name).ends_with("-wal")) return SQLITE_OK;
  return real_vfs(vfs)->xAccess(real_vfs(vfs), name, flags, found);
}

// SQLite would delete the -wal file of a database that has just been cut, with all that is only in there.
int delete_file(sqlite3_vfs*, const char*, int) { return SQLITE_IOERR_DELETE; }

// Leaves a path through an open folder unresolved: once resolved, it could lead elsewhere by the time it is
// used.
int full_path(sqlite3_vfs* vfs, const char* name, int size, char* full) {
  const std::string_view path(name);
  if (!is_by_descriptor(path)) return real_vfs(vfs)->xFullPathname(real_vfs(vfs), name, size, full);
  if (path.size() >= static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  full[path.copy(full, path.size())] = '\0';
  return SQLITE_OK;
}

template <Beside beside>
sqlite3_vfs checked_layer(const char* name, sqlite3_vfs* real) {
  return {
      .iVersion = 2,
      .szOsFile = static_cast<int>(sizeof(CheckedFile)) + real->szOsFile,
      .mxPathname = real->mxPathname,
      .pNext = nullptr,
      .zName = name,
      .pAppData = real,
      .xOpen = open_file<beside>,
      .xDelete = delete_file,
      .xAccess = look_for_file<beside>,
      .xFullPathname = full_path,
      .xDlOpen = nullptr,
      .xDlError = nullptr,
      .xDlSym = nullptr,
      .xDlClose = nullptr,
      .xRandomness = Forwarded<&sqlite3_vfs::xRandomness>::call,
      .xSleep = Forwarded<&sqlite3_vfs::xSleep>::call,
      .xCurrentTime = Forwarded<&sqlite3_vfs::xCurrentTime>::call,
      .xGetLastError = Forwarded<&sqlite3_vfs::xGetLastError>::call,
      .xCurrentTimeInt64 = Forwarded<&sqlite3_vfs::xCurrentTimeInt64>::call,
      .xSetSystemCall = nullptr,
      .xGetSystemCall = nullptr,
      .xNextSystemCall = nullptr,
  };
}

// Does not wait for the other end of a pipe that somebody has put in a database's place.
int open_at_once(const char* path, int flags, int mode) {
  return ::open(path, flags | O_NONBLOCK, mode);  // NOLINT(*-vararg)
}

sqlite3_vfs* default_vfs() {
  static sqlite3_vfs* const vfs = [] {
    sqlite3_vfs* const found = sqlite3_vfs_find(nullptr);
    found->xSetSystemCall(found, "open", reinterpret_cast<sqlite3_syscall_ptr>(open_at_once));
    return found;
  }();
  return vfs;
}

template <Beside beside>
const char* register_layer(const char* name) {
  static sqlite3_vfs layer = checked_layer<beside>(name, default_vfs());
  static const int registered = sqlite3_vfs_register(&layer, 0);
  static_cast<void>(registered);
  return layer.zName;
}

}  // namespace

const char* checked_vfs() { return register_layer<Beside::log>("qdedup"); }
const char* draft_vfs() { return register_layer<Beside::nothing>("qdedup-draft"); }

std::optional<std::string> take_damage() {
  const std::optional<Damage> damage = std::exchange(noted, std::nullopt);
  if (!damage) return std::nullopt;
  return "page " + std::to_string(damage->page) + " is damaged" + (damage->in_log ? " in the -wal file" : "");
}

void while_closed(const std::string& path, const std::function<void()>& look) {
  const std::lock_guard lock(open_databases().mutex);
  const std::optional<FileId> id = id_of(path.c_str());
  if (!id || !open_databases().counts.contains(*id)) look();
}

}  // namespace qdedup::db
