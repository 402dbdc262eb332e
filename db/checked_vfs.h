#pragma once

#include <functional>
#include <optional>
#include <string>

namespace qdedup::db {

// The name of SQLite's file layer for our databases, to open connections with. Each page gets its checksum
// on its way to the database and to the write-ahead log, and is refused with SQLITE_IOERR_DATA where it does
// not hold when it is read; nothing in a file switches that off. Files stay in SQLite's own format.
//
// A database is to be made with `checksum_bytes` reserved and pages of `page_bytes`. Other programs may read
// it and settle its log; what they write has no checksum.
//
// SQLite sees the write-ahead log and its index beside a database, and no other file: no rollback journal is
// opened, written or removed. A `-journal` that lies there is not ours, as we never write one, and whoever
// may write to the folder can put it there at any time. SQLite would take the pages in it for the database's,
// and remove the file that it names as its super-journal. So to write to a database that is not in WAL mode
// takes PRAGMA journal_mode = MEMORY.
const char* checked_vfs();

// The same for a file in the making: SQLite sees nothing at all beside it, and so gives it no write-ahead
// log either.
const char* draft_vfs();

// The damage that this thread found since the last call, in words.
std::optional<std::string> take_damage();

// Calls `look` unless this process has the database open, and keeps it from being opened meanwhile: opening
// and closing a file of it once more would drop SQLite's locks (POSIX).
void while_closed(const std::string& path, const std::function<void()>& look);

}  // namespace qdedup::db
