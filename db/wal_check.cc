#include "db/wal_check.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "db/checked_vfs.h"
#include "db/file_format.h"

namespace qdedup::db {
namespace {

using Finding = std::optional<std::string>;

// A file left by processes; it may be missing. Anyone who may write to the folder may put a link or a pipe
// there at any time.
class LeftFile {
 public:
  explicit LeftFile(std::string path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)),  // NOLINT(*-vararg)
        missing_(!file_.open() && errno == ENOENT) {
    if (!file_.open()) failure_ = errno;
    struct stat status {};
    if (!file_.open() || (::fstat(file_.number(), &status) == 0 && S_ISREG(status.st_mode))) return;
    failure_ = EINVAL;
    file_.close();
  }

  [[nodiscard]] bool missing() const { return missing_; }
  [[nodiscard]] int number() const { return file_.number(); }

  [[nodiscard]] Result<std::uint64_t> size() const {
    if (missing_) return std::uint64_t{0};
    struct stat status {};
    if (!file_.open() || ::fstat(file_.number(), &status) != 0) return error();
    return static_cast<std::uint64_t>(status.st_size);
  }

  // Returns whether the file has that many bytes there.
  [[nodiscard]] Result<bool> read(std::span<std::byte> bytes, std::int64_t offset) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = ::pread(file_.number(), bytes.data() + done, bytes.size() - done,
                                    offset + static_cast<std::int64_t>(done));
      if (count == 0) return false;
      if (count < 0 && errno != EINTR) return error();
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  [[nodiscard]] Error error() const { return errno_error(path_, file_.open() ? errno : failure_); }

  std::string path_;
  FileDescriptor file_;
  bool missing_;
  int failure_ = 0;
};

// Whether another process has a lock on any of these bytes; none if that cannot be determined.
std::optional<bool> is_locked(const LeftFile& file, off_t begin, off_t bytes) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = begin;
  lock.l_len = bytes;
  if (::fcntl(file.number(), F_GETLK, &lock) != 0) return std::nullopt;  // NOLINT(*-vararg)
  return lock.l_type != F_UNLCK;
}

// Each process that has the database open holds a lock on this byte of the index.
bool is_in_use(const LeftFile& index) { return is_locked(index, 128, 1).value_or(true); }

// Each of them also holds a lock on these bytes of the database ("SHARED_FIRST"), which it takes shortly
// before it creates an index. A database that is not in WAL mode has no such locks.
bool has_lost_index_in_use(const std::string& database) {
  constexpr off_t shared_bytes = 510;
  constexpr int looks = 20;
  const LeftFile file(database);
  std::array<std::byte, 20> header{};
  const Result<bool> read = file.missing() ? Result<bool>(false) : file.read(header, 0);
  if (!read.ok() || !*read || header[18] != std::byte{2}) return false;
  for (int look = 0; look < looks; ++look) {
    const bool has_index = !LeftFile(database + "-shm").missing();
    if (has_index || !is_locked(file, 0x40000002, shared_bytes).value_or(false)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

// Iterates over the frames of a log.
class Frames {
 public:
  Frames(const LeftFile& log, const WalHeader& header)
      : log_(log), salt_(header.salt), before_(header.checksum) {}

  // Returns whether there is another one.
  Result<bool> next() {
    Result<bool> read = log_.read(frame_, frame_offset(number_ + 1));
    if (!read.ok() || !*read) return read;
    ++number_;
    const FrameHeader header = parse_frame_header(std::span(frame_).first<frame_header_bytes>());
    const bool followed_commit = commits_;
    holds_ = header.page != 0 && header.salt == salt_ && frame_checksum(before_, frame_) == header.checksum;
    commits_ = holds_ && header.commits;
    begins_ = holds_ && followed_commit;
    before_ = header.checksum;
    return true;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] bool holds() const { return holds_; }
  [[nodiscard]] bool commits() const { return commits_; }
  // It continues from a commit, so that commit was safely in the log.
  [[nodiscard]] bool begins_transaction() const { return begins_; }

 private:
  const LeftFile& log_;
  WalSalt salt_;
  WalChecksum before_;  // of the last frame read
  std::array<std::byte, frame_bytes> frame_{};
  std::uint64_t number_ = 0;
  bool holds_ = false;
  bool commits_ = false;
  bool begins_ = false;
};

// What is known about a log besides its frames.
struct Expected {
  std::uint64_t committed;  // frames, at least
  // Its index was removed by hand, not lost in a power loss, so each commit was complete.
  bool index_is_gone;
};

Result<Finding> check_frames(const LeftFile& log, const WalHeader& header, const Expected& expected) {
  Frames frames(log, header);
  std::uint64_t damaged = 0;
  while (true) {
    const Result<bool> more = frames.next();
    if (!more.ok()) return more.error();
    if (damaged == 0 && !(*more && frames.holds())) damaged = *more ? frames.number() : frames.number() + 1;
    const bool is_known = damaged <= expected.committed || (*more && frames.begins_transaction()) ||
                          (*more && frames.commits() && expected.index_is_gone);
    if (damaged > 0 && is_known) {
      return Finding("its -wal file is damaged at frame " + std::to_string(damaged) + ", before its end");
    }
    if (!*more) return Finding();
  }
}

Result<Finding> check_log(const std::string& database, const std::optional<WalIndex>& index,
                          bool index_is_gone) {
  const LeftFile log(database + "-wal");
  const Result<std::uint64_t> size = log.size();
  if (!size.ok()) return size.error();
  if (*size < static_cast<std::uint64_t>(frame_offset(2))) {
    const bool is_missed = index && index->frames > index->backfilled;
    return is_missed
               ? Finding("has lost its -wal file, and with it what was written last, or has an old -shm file")
               : Finding();
  }
  std::array<std::byte, wal_header_bytes> bytes{};
  const Result<bool> read = log.read(bytes, 0);
  if (!read.ok()) return read.error();
  // It was synced before the first frame was written.
  const std::optional<WalHeader> header = parse_wal_header(bytes);
  if (!header) return Finding("its -wal file is damaged at its beginning");
  const bool is_of_log = index && index->salt == header->salt;
  return check_frames(log, *header, {is_of_log ? index->frames : 0, index_is_gone});
}

Result<Finding> check_left(const std::string& database) {
  const LeftFile file(database + "-shm");
  if (file.missing() && has_lost_index_in_use(database)) {
    return Finding("has lost its -shm file while it is in use, and perhaps its -wal file");
  }
  if (file.missing() && LeftFile(database + "-shm").missing()) return check_log(database, std::nullopt, true);
  if (file.missing()) return check_left(database);  // another process has opened it meanwhile
  std::array<std::byte, wal_index_bytes> bytes{};
  const Result<bool> read = file.read(bytes, 0);
  if (!read.ok()) return read.error();
  if (is_in_use(file)) return Finding();
  Result<Finding> found = check_log(database, *read ? parse_wal_index(bytes) : std::nullopt, false);
  // Another process may have opened it meanwhile.
  if (found.ok() && *found && is_in_use(file)) return Finding();
  return found;
}

}  // namespace

Result<Finding> find_log_damage(const std::string& database) {
  Result<Finding> found = Finding();
  while_closed(database, [&] { found = check_left(database); });
  return found;
}

}  // namespace qdedup::db
