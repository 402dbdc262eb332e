#include "cli/output_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <CLI/Error.hpp>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/draft_file.h"
#include "base/links.h"
#include "base/user_name.h"
#include "cli/console.h"
#include "logs/files.h"

namespace qdedup::cli {

std::string output_format(const std::string& asked, const std::string& output) {
  if (!asked.empty()) return asked;
  const std::string ending = CLI::detail::to_lower(std::filesystem::path(output).extension().string());
  constexpr std::array<std::string_view, 6> others = {".xls", ".ods", ".json", ".pdf", ".gz", ".zst"};
  if (std::ranges::find(others, ending) != others.end()) {
    throw CLI::ValidationError("--output", output +
                                               ": no such files are written; name it .csv, .tsv or .jsonl "
                                               "(for deletions .xlsx or .html too), or give --format");
  }
  if (ending == ".tab") return "tsv";
  if (ending == ".ndjson") return "jsonl";
  constexpr std::array<std::string_view, 4> formats = {".html", ".tsv", ".jsonl", ".xlsx"};
  return std::ranges::find(formats, ending) != formats.end() ? ending.substr(1) : "csv";
}

std::string list_format(const std::string& asked, const std::string& output) {
  std::string format = output_format(asked, output);
  if (format != "html" && format != "xlsx") return format;
  throw CLI::ValidationError(output.empty() ? "--format" : output,
                             "this list cannot be written as " + format + "; take csv, tsv or jsonl");
}

void expect_json_lines(const std::string& asked, const std::string& output) {
  const std::string name = asked.empty() ? CLI::detail::to_lower(output) : "." + asked;
  for (const std::string other : {"csv", "tsv", "html", "xlsx", "xls", "ods"}) {
    if (!name.ends_with("." + other)) continue;
    throw CLI::ValidationError("--undo", "cannot be written as " + other + "; take jsonl");
  }
}

namespace {

bool may_be_database(const FileDescriptor& file) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::array<char, magic.size()> start{};
  const auto content = logs::RegularFile::open(path_of(file));
  if (!content.ok()) return content.error().code == ErrorCode::io;  // another program has a lease of it
  const Result<std::size_t> count = content->read_at(0, start);
  return count.ok() && std::string_view(start.data(), *count) == magic;
}

Status fill(const std::string& path, const FileDescriptor& place,
            const std::function<Status(std::ostream&)>& write) {
  std::ofstream file(path_of(place), std::ios::binary | std::ios::trunc);
  if (!file) return cannot_create(path, errno);
  Status written = write(file);
  file.close();
  if (written.ok() && !file) written = Error{ErrorCode::io, "cannot be written"};
  return written.ok() ? Status() : Status(std::move(written).error().within(path));
}

// Gives the file that is about to be replaced another name, unless it may go.
Status keep_replaced(const FilePlace& place, const Replacing& replacing) {
  const FileDescriptor found = place.look();
  struct stat about {};
  if (!found.open() || ::fstat(found.number(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  if (replacing.may_go(path_of(found))) return {};
  for (int number = 1;; ++number) {
    const std::string ending = ".~" + std::to_string(number) + "~";
    const std::string kept = place.path() + ending;
    if (::linkat(AT_FDCWD, path_of(found).c_str(), AT_FDCWD, kept.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      std::error_code failure;
      const std::filesystem::path real = std::filesystem::canonical(kept, failure);
      replacing.kept(failure ? place.shown() + ending : real.string());
      return {};
    }
    if (errno != EEXIST) {
      return Error{ErrorCode::cannot_create, place.shown() + ending + ": " +
                                                 std::generic_category().message(errno) + ". Move " +
                                                 place.shown() + " away: it has what the new file lacks"};
    }
  }
}

// Fills a draft and puts it in place.
Status fill_draft(const FilePlace& place, const std::function<Status(std::ostream&)>& write,
                  const Replacing& replacing) {
  QDEDUP_ASSIGN_OR_RETURN(DraftFile draft, DraftFile::beside(place, 0666));
  QDEDUP_TRY(fill(place.shown(), draft.file(), write));
  QDEDUP_TRY(keep_replaced(place, replacing));
  return draft.replace();
}

// For a device or a pipe.
Status fill_in_place(const std::string& path, const FileDescriptor& place, bool is_device,
                     const std::function<Status(std::ostream&)>& write) {
  const FileDescriptor device(is_device ? ::open(path_of(place).c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC)
                                        : -1);  // NOLINT(*-vararg)
  return fill(path, place, [&](std::ostream& file) {
    const std::unique_ptr<std::ostream> terminal = terminal_stream(device.number(), file);
    Status written = write(terminal ? *terminal : file);
    if (terminal) terminal->flush();
    return written;
  });
}

// What is at a place, opened for neither reading nor writing. Only links in /proc are followed, which lead to
// what this process has open.
struct Found {
  FileDescriptor file;
  bool is_ours = false;
};

Found look_at(const FilePlace& place) {
  FileDescriptor found = place.look();
  struct stat about {};
  struct statfs file_system {};
  if (!found.open() || ::fstat(found.number(), &about) != 0) return {std::move(found)};
  const bool is_link_of_proc = S_ISLNK(about.st_mode) && ::fstatfs(found.number(), &file_system) == 0 &&
                               file_system.f_type == PROC_SUPER_MAGIC;
  if (is_link_of_proc)
    return {FileDescriptor(::open(place.path().c_str(), O_PATH | O_CLOEXEC)), true};  // NOLINT(*-vararg)
  return {std::move(found), is_of_root_or_own(about)};
}

}  // namespace

Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write, const Replacing& replacing) {
  if (path.empty() || path == "-") return write(standard_output);
  QDEDUP_ASSIGN_OR_RETURN(const FilePlace place, db::output_place(path, state));
  const Found found = look_at(place);
  if (!found.file.open() && errno == ENOENT) return fill_draft(place, write, replacing);
  struct stat about {};
  if (!found.file.open() || ::fstat(found.file.number(), &about) != 0) return cannot_create(path, errno);
  if (S_ISLNK(about.st_mode)) return cannot_create(path, ELOOP);
  if (!S_ISREG(about.st_mode)) {
    if (found.is_ours) return fill_in_place(path, found.file, S_ISCHR(about.st_mode), write);
    return Error{ErrorCode::cannot_create, path + ": is a pipe or device of " + unix_user(about.st_uid) +
                                               ", who would read it; it was not written"};
  }
  if (may_be_database(found.file)) {
    return Error{ErrorCode::cannot_create,
                 path + ": is a database; it was not written. Choose another place"};
  }
  return fill_draft(place, write, replacing);
}

}  // namespace qdedup::cli
