#include "cli/output_file.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft_file.h"
#include "db/state_folder.h"

namespace qdedup::cli {
namespace {

namespace fs = std::filesystem;

Error cannot_open(const std::string& path, int reason) {
  return {ErrorCode::cannot_create, path + ": " + std::generic_category().message(reason)};
}

bool is_database(const fs::path& path) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::array<char, magic.size()> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  return file && std::string_view(start.data(), start.size()) == magic;
}

Status fill(const std::string& path, int descriptor, const std::function<Status(std::ostream&)>& write) {
  std::ofstream file("/proc/self/fd/" + std::to_string(descriptor), std::ios::binary | std::ios::trunc);
  if (!file) return cannot_open(path, errno);
  Status written = write(file);
  file.close();
  if (written.ok() && !file) written = Error{ErrorCode::io, "cannot be written"};
  return written.ok() ? Status() : Status(std::move(written).error().within(path));
}

// Gives a draft the group and the permissions of the file that it replaces; without the one, it is for nobody
// but its owner.
Status take_over_access(const std::string& path, int draft, const struct stat& replaced) {
  const bool has_group = ::fchown(draft, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  const mode_t mode = replaced.st_mode & (has_group ? 0777U : 0700U);
  return ::fchmod(draft, mode) == 0 ? Status() : Status(cannot_open(path, errno));
}

// Fills a draft, and puts it in its place. Nobody reads it before who could not read the file that it
// replaces.
Status fill_draft(const std::string& path, const fs::path& place,
                  const std::function<Status(std::ostream&)>& write) {
  struct stat replaced {};
  const bool replaces = ::stat(place.c_str(), &replaced) == 0;
  QDEDUP_ASSIGN_OR_RETURN(DraftFile draft, DraftFile::beside(place.string(), replaces ? 0600 : 0666));
  QDEDUP_TRY(fill(path, draft.descriptor(), write));
  if (replaces) QDEDUP_TRY(take_over_access(path, draft.descriptor(), replaced));
  return draft.replace(place.string());
}

// Makes and cuts no file, though one may take the device's place at any moment.
Status fill_device(const std::string& path, const std::function<Status(std::ostream&)>& write) {
  const FileDescriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));  // NOLINT(*-vararg)
  struct stat about {};
  if (!device.open() || ::fstat(device.number(), &about) != 0) return cannot_open(path, errno);
  if (S_ISREG(about.st_mode)) return cannot_open(path, EEXIST);
  return fill(path, device.number(), write);
}

}  // namespace

Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write) {
  if (path.empty() || path == "-") return write(standard_output);
  QDEDUP_ASSIGN_OR_RETURN(const fs::path place, db::output_place(path, state));
  std::error_code failure;
  const fs::file_type type = fs::status(path, failure).type();
  if (type == fs::file_type::not_found) return fill_draft(path, place, write);
  if (type != fs::file_type::regular) return fill_device(path, write);  // or a pipe
  if (is_database(place)) {
    return Error{ErrorCode::cannot_create,
                 path + ": is a database; it was not written. Choose another place"};
  }
  return fill_draft(path, place, write);
}

}  // namespace qdedup::cli
