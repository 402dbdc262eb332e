#include "cli/output_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace qdedup::cli {

namespace {

// Where the bytes go: for a regular file, or none yet, a draft beside it; else (a device, a pipe) the thing
// itself.
struct Target {
  std::filesystem::path final;
  std::filesystem::path draft;

  [[nodiscard]] bool has_draft() const { return draft != final; }
};

Target target_of(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failure);
  const std::filesystem::path final = failure ? std::filesystem::path(path) : resolved;
  const auto type = std::filesystem::status(final, failure).type();
  const bool replaceable =
      type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::regular;
  return {final, replaceable ? final.string() + ".part-" + std::to_string(::getpid()) : final.string()};
}

// Gives the draft the permissions of the file that it replaces, and its name.
std::error_code replace(const Target& target) {
  std::error_code failure;
  const auto permissions = std::filesystem::status(target.final, failure).permissions();
  if (!failure && permissions != std::filesystem::perms::unknown) {
    std::filesystem::permissions(target.draft, permissions, failure);
  }
  std::filesystem::rename(target.draft, target.final, failure);
  return failure;
}

}  // namespace

Status write_output(const std::string& path, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write) {
  if (path.empty() || path == "-") return write(standard_output);
  const Target target = target_of(path);
  std::ofstream file(target.draft, std::ios::binary | std::ios::trunc);
  if (!file) return Error{ErrorCode::cannot_create, path + ": " + std::generic_category().message(errno)};
  Status written = write(file);
  file.close();
  if (written.ok() && !file) written = Error{ErrorCode::io, "cannot be written"};
  std::error_code failure;
  if (!written.ok()) {
    if (target.has_draft()) std::filesystem::remove(target.draft, failure);
    return std::move(written).error().within(path);
  }
  if (target.has_draft()) failure = replace(target);
  if (failure) return Error{ErrorCode::cannot_create, path + ": " + failure.message()};
  return {};
}

}  // namespace qdedup::cli
