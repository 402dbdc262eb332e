#include "logs/files.h"

#include <cerrno>
#include <set>

#include <glob.h>
#include <unistd.h>

#include "logs/byte_source.h"

namespace qdedup::logs {
namespace {

Result<std::shared_ptr<const RegularFile>> shared(Result<RegularFile> file,
                                                  const std::function<void()>& moved) {
  if (!file.ok()) return std::move(file).error();
  file->on_read(moved);
  return std::make_shared<const RegularFile>(*std::move(file));
}

int stop_where_nothing_is_left(const char* /*path*/, int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM ? error : 0;
}

}  // namespace

Result<std::shared_ptr<const RegularFile>> DiskFiles::open(const std::string& path) const {
  return shared(RegularFile::open(path, forbidden_), moved_);
}

std::optional<FileSignature> DiskFiles::signature(const std::string& path) const {
  return signature_of(path);
}

Result<std::unique_ptr<ByteSource>> DiskFiles::standard_input() const {
  return std::unique_ptr<ByteSource>(
      std::make_unique<StreamSource>(STDIN_FILENO, StreamSource::standard_input));
}

Result<std::vector<std::string>> matching_paths(const std::vector<std::string>& globs) {
  std::set<std::string> paths;
  for (const std::string& pattern : globs) {
    glob_t found{};
    const int outcome = ::glob(pattern.c_str(), 0, stop_where_nothing_is_left, &found);
    if (outcome == 0) paths.insert(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    if (outcome == GLOB_ABORTED || outcome == GLOB_NOSPACE) {
      return Error{ErrorCode::busy, pattern + ": cannot be looked for: too many open files, or no memory"};
    }
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

}  // namespace qdedup::logs
