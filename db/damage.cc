#include "db/damage.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "db/checked_vfs.h"
#include "db/database.h"
#include "db/file_format.h"

namespace qdedup::db {
namespace {

// Rethrows the exception unless it is about damage.
void expect_damage(const SQLite::Exception& exception) {
  if (!damage_in(exception)) throw exception;
}

class Pages {
 public:
  explicit Pages(SQLite::Database& database)
      : database_(database),
        main_(file_of(database, SQLITE_FCNTL_FILE_POINTER)),
        log_(file_of(database, SQLITE_FCNTL_JOURNAL_POINTER)) {}

  std::vector<std::string> find_damage() {
    // Pages in the log supersede those in the database, which may be overwritten soon.
    std::set<std::uint32_t> in_log;
    for_each_frame([&](std::uint32_t page, std::int64_t offset) {
      in_log.insert(page);
      check(*log_, offset);
    });
    const auto count = database_.execAndGet("PRAGMA page_count").getUInt();
    for (std::uint32_t page = 1; page <= count; ++page) {
      if (page != lock_page && !in_log.contains(page)) check(*main_, offset_of(page));
    }
    return damage_;
  }

  // Throws what SQLite would throw if it read this page now and it is damaged. Checks the newest copy in the
  // log, or the page of the database if the log has none. The caller holds a snapshot.
  void expect_sound(std::uint32_t page) {
    sqlite3_file* newest = main_;
    std::int64_t at = offset_of(page);
    for_each_frame([&](std::uint32_t framed, std::int64_t offset) {
      if (framed != page) return;
      newest = log_;
      at = offset;
    });
    database_.check(read(*newest, at));
  }

  // False if the log does not match its index although it contains pages that are nowhere else: it was
  // truncated or overwritten while it was open. The caller holds a snapshot.
  [[nodiscard]] bool log_holds() {
    constexpr int looks = 20;  // a writer may be restarting the log meanwhile
    for (int i = 0; i < looks; ++i) {
      const std::optional<WalIndex> index = live_index();
      if (!index || index->frames == index->backfilled || log_agrees_with(*index)) return true;
    }
    return false;
  }

 private:
  bool log_agrees_with(const WalIndex& index) {
    std::array<std::byte, wal_header_bytes> bytes{};
    if (log_->pMethods->xRead(log_, bytes.data(), static_cast<int>(bytes.size()), 0) != SQLITE_OK)
      return false;
    const std::optional<WalHeader> header = parse_wal_header(bytes);
    const auto last = frame_offset(index.frames) + static_cast<std::int64_t>(frame_header_bytes);
    const bool agrees = header && header->salt == index.salt && read(*log_, last) == SQLITE_OK;
    (void)take_damage();
    return agrees;
  }

  static std::int64_t offset_of(std::uint32_t page) {
    return static_cast<std::int64_t>(page - 1) * std::int64_t{page_bytes};
  }

  int read(sqlite3_file& file, std::int64_t offset) {
    return file.pMethods->xRead(&file, page_.data(), static_cast<int>(page_.size()), offset);
  }

  void check(sqlite3_file& file, std::int64_t offset) {
    const int outcome = read(file, offset);
    if (outcome == SQLITE_IOERR_DATA) {
      damage_.push_back(take_damage().value_or("a page is damaged"));
    } else {
      database_.check(outcome);
    }
  }

  // Visits the frames of the log unless all are in the database too: passes the page's number and its offset
  // in the log.
  void for_each_frame(const std::function<void(std::uint32_t page, std::int64_t offset)>& take) {
    const std::optional<WalIndex> index = live_index();
    if (!index || index->frames == index->backfilled) return;
    std::array<std::byte, frame_header_bytes> header{};
    for (std::uint64_t frame = 1; frame <= index->frames; ++frame) {
      const std::int64_t at = frame_offset(frame);
      database_.check(log_->pMethods->xRead(log_, header.data(), static_cast<int>(header.size()), at));
      take(parse_frame_header(header).page, at + static_cast<std::int64_t>(frame_header_bytes));
    }
  }

  // A consistent copy of the log's index; none if SQLite has no log open, as after a backup was put in place.
  std::optional<WalIndex> live_index() {
    if (log_->pMethods == nullptr) return std::nullopt;
    constexpr int region_bytes = 32768;
    constexpr int tries = 1000;
    void volatile* region = nullptr;
    const int mapped = main_->pMethods->xShmMap(main_, 0, region_bytes, 0, &region);
    // A reader without write access gets SQLITE_READONLY.
    if ((mapped & 0xFF) != SQLITE_READONLY) database_.check(mapped);
    for (int i = 0; region != nullptr && i < tries; ++i) {
      std::array<std::byte, wal_index_bytes> bytes{};
      const auto* const from = static_cast<const std::byte volatile*>(region);
      for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = from[at];
      if (const auto index = parse_wal_index(bytes)) return index;
    }
    return region == nullptr ? index_of_log() : std::nullopt;
  }

  // Computed from the log alone, as SQLite does for a reader without write access if nobody else has it open.
  std::optional<WalIndex> index_of_log() {
    std::array<std::byte, wal_header_bytes> start{};
    if (!read_log(start, 0)) return std::nullopt;
    const std::optional<WalHeader> log = parse_wal_header(start);
    if (!log) return std::nullopt;
    WalIndex index{log->salt, 0, 0};
    WalChecksum checksum = log->checksum;
    std::array<std::byte, frame_bytes> bytes{};
    for (std::uint32_t frame = 1; read_log(bytes, frame_offset(frame)); ++frame) {
      const FrameHeader header = parse_frame_header(std::span(bytes).first<frame_header_bytes>());
      checksum = frame_checksum(checksum, bytes);
      if (header.salt != log->salt || header.checksum != checksum) break;
      if (header.commits) index.frames = frame;
    }
    return index;
  }

  bool read_log(std::span<std::byte> bytes, std::int64_t offset) {
    const int outcome = log_->pMethods->xRead(log_, bytes.data(), static_cast<int>(bytes.size()), offset);
    if (outcome != SQLITE_IOERR_SHORT_READ) database_.check(outcome);
    return outcome == SQLITE_OK;
  }

  SQLite::Database& database_;
  std::vector<std::string> damage_;
  sqlite3_file* main_;
  sqlite3_file* log_;
  std::array<std::byte, page_bytes> page_{};
};

bool has_damage(SQLite::Database& database, const std::string& name) {
  (void)take_damage();
  try {
    SQLite::Statement pages(database, "SELECT count(*) FROM dbstat WHERE name = ?");
    pages.bind(1, name);
    pages.executeStep();
    return false;
  } catch (const SQLite::Exception& exception) {
    expect_damage(exception);
    return true;
  }
}

// The last row that can be read in this direction; none if there is none.
std::optional<std::int64_t> last_readable(SQLite::Database& database, const std::string& table,
                                          const std::string& direction) {
  std::optional<std::int64_t> row;
  (void)take_damage();
  try {
    SQLite::Statement rows(database,
                           "SELECT rowid, * FROM \"" + table + "\" NOT INDEXED ORDER BY rowid " + direction);
    while (rows.executeStep()) row = rows.getColumn(0).getInt64();
  } catch (const SQLite::Exception& exception) {
    expect_damage(exception);
  }
  return row;
}

std::string rows_around_damage(SQLite::Database& database, const std::string& table) {
  const auto before = last_readable(database, table, "ASC");
  const auto after = last_readable(database, table, "DESC");
  std::string words;
  if (before) words += " after " + std::to_string(*before);
  if (after) words += (before ? " and before " : " before ") + std::to_string(*after);
  return words.empty() ? " any" : words;
}

struct Tree {
  std::string kind;
  std::string name;
  bool has_row_ids;
};

std::vector<Tree> trees_of(SQLite::Database& database) {
  std::vector<Tree> trees = {{"table", "sqlite_schema", false}};
  SQLite::Statement rows(database,
                         "SELECT s.type, s.name, t.wr FROM sqlite_schema s LEFT JOIN pragma_table_list t "
                         "ON t.name = s.name AND t.schema = 'main' WHERE s.rootpage > 0 ORDER BY s.rowid");
  while (rows.executeStep()) {
    const bool is_table = rows.getColumn(0).getString() == "table";
    trees.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                     is_table && rows.getColumn(2).getInt() == 0});
  }
  return trees;
}

// A checkpoint writes pages one after another, so a page may only look damaged for a moment.
constexpr int looks_at_a_suspect = 20;
constexpr std::chrono::milliseconds between_looks{10};

}  // namespace

Result<std::vector<std::string>> find_page_damage(Connection& connection) {
  return guarded(connection.path(), [&] {
    SQLite::Database& database = connection.database();
    std::vector<std::string> damage = Pages(database).find_damage();
    if (damage.empty()) return damage;
    for (const Tree& tree : trees_of(database)) {
      if (!has_damage(database, tree.name)) continue;
      damage.push_back(tree.kind + " " + tree.name + " has damaged pages");
      if (tree.has_row_ids) damage.back() += ": rows" + rows_around_damage(database, tree.name);
    }
    damage.back() += ". " + std::string(how_to_mend(connection.path()));
    return damage;
  });
}

DiskCheck::DiskCheck(std::string path, SQLite::Database& database)
    : path_(std::move(path)), database_(database), files_(path_) {}

// Checks the database file alone, where a page that is only in the -wal file may be missing, or a hole.
DiskCheck::Page DiskCheck::look_at(std::uint64_t page) const {
  const std::optional<FileHeader> header = read_header(database_);
  if (!header) return Page::suspect;
  if (page >= header->page_count) return Page::past_end;
  if (page + 1 == lock_page) return Page::sound;
  sqlite3_file* const file = file_of(database_, SQLITE_FCNTL_FILE_POINTER);
  std::vector<char> bytes(page_bytes);
  const auto read = [&](std::uint64_t number) {
    return file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()),
                                 static_cast<sqlite3_int64>(number) * sqlite3_int64{page_bytes}) == SQLITE_OK;
  };
  const bool sound = read(header->page_count - 1) && read(page);
  (void)take_damage();
  return sound ? Page::sound : Page::suspect;
}

Status DiskCheck::check_pages(std::uint64_t count) {
  return guarded(path_, [&]() -> Status {
    QDEDUP_TRY(check_log());
    for (std::uint64_t i = 0; i < count; ++i, ++next_) {
      Page page = look_at(next_);
      for (int look = 1; page == Page::suspect && look < looks_at_a_suspect; ++look) {
        std::this_thread::sleep_for(between_looks);
        page = look_at(next_);
      }
      if (page == Page::suspect) {
        QDEDUP_TRY(confirm());
        ++next_;
        break;
      }
      if (page == Page::past_end) {
        next_ = 0;
        break;
      }
    }
    return {};
  });
}

Status DiskCheck::check_log() {
  const SQLite::Transaction snapshot(database_);
  (void)database_.execAndGet("PRAGMA page_count");
  if (Pages(database_).log_holds()) return {};
  return Error{ErrorCode::data,
               path_ +
                   ": its -wal file was cut or overwritten while it was open, and what was written last " +
                   "is lost with it. " + std::string(how_to_mend(path_))};
}

// Checks the suspected pages once more, including the -wal file and bypassing this connection's cache.
// Checking more would take too long in a large database.
Status DiskCheck::confirm() {
  if (!read_header(database_)) {
    return Error{ErrorCode::data,
                 path_ + ": is damaged: was overwritten. " + std::string(how_to_mend(path_))};
  }
  database_.exec("PRAGMA shrink_memory");
  const SQLite::Transaction snapshot(database_);
  const std::uint32_t count = database_.execAndGet("PRAGMA page_count").getUInt();
  Pages pages(database_);
  pages.expect_sound(count);
  if (next_ < count) pages.expect_sound(static_cast<std::uint32_t>(next_) + 1);
  return {};
}

}  // namespace qdedup::db
