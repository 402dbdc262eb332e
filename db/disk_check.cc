#include "db/disk_check.h"

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "db/checked_vfs.h"
#include "db/connection.h"
#include "db/page_checksum.h"
#include "db/page_damage.h"

namespace qdedup::db {
namespace {

// A checkpoint writes pages, and their number, one after the other.
constexpr int looks_at_a_suspect = 20;
constexpr std::chrono::milliseconds between_looks{10};

}  // namespace

DiskCheck::DiskCheck(std::string path, SQLite::Database& database)
    : path_(std::move(path)), database_(database), files_(path_) {}

// In the file itself: a page that is only in the -wal file may be missing, or a hole, there.
DiskCheck::Page DiskCheck::look_at(std::uint64_t page) const {
  const std::optional<FileHeader> header = read_header(database_);
  if (!header) return Page::suspect;
  if (page >= header->page_count) return Page::past_end;
  if (page + 1 == lock_page) return Page::sound;
  sqlite3_file* file = nullptr;
  database_.check(sqlite3_file_control(database_.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file));
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
  return check_live_log(path_, database_);
}

// With what is in the -wal file, and without what this connection remembers. Only the pages that were looked
// at, as anything more would take long in a large database.
Status DiskCheck::confirm() {
  if (!read_header(database_)) {
    return Error{ErrorCode::data,
                 path_ + ": is damaged: was overwritten. " + std::string(how_to_mend(path_))};
  }
  database_.exec("PRAGMA shrink_memory");
  const SQLite::Transaction snapshot(database_);
  const std::uint32_t count = database_.execAndGet("PRAGMA page_count").getUInt();
  expect_sound_page(database_, count);
  if (next_ < count) expect_sound_page(database_, static_cast<std::uint32_t>(next_) + 1);
  return {};
}

}  // namespace qdedup::db
