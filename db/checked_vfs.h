#pragma once

#include <functional>
#include <optional>
#include <string>

namespace qdedup::db {

// The name of SQLite's file layer for our databases; open connections with it. Each page gets a checksum when
// it is written to the database or the write-ahead log, and is refused with SQLITE_IOERR_DATA if the checksum
// does not match when it is read; nothing in a file can turn that off. Files stay in SQLite's own format.
//
// A database must be created with `checksum_bytes` reserved and pages of `page_bytes`. Other programs may
// read it and checkpoint its log; what they write has no checksum.
//
// SQLite sees the write-ahead log and its index beside a database, and no other file: no rollback journal is
// opened, written or removed. A `-journal` found there is not ours, since we never write one, and anyone who
// may write to the folder can put it there at any time. SQLite would take its pages for the database's, and
// remove the file that it names as its super-journal. So writing to a database that is not in WAL mode
// requires PRAGMA journal_mode = MEMORY.
const char* checked_vfs();

// The same for a file under construction: SQLite sees nothing beside it, and so creates no write-ahead log
// either.
const char* draft_vfs();

// The damage that this thread found since the last call, as text.
std::optional<std::string> take_damage();

// Calls `look` unless this process has the database open, and prevents that meanwhile: opening and closing
// its file once more would drop SQLite's locks (POSIX).
void while_closed(const std::string& path, const std::function<void()>& look);

}  // namespace qdedup::db
