#include "cli/output_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include <unistd.h>

namespace qdedup::cli {

Status write_output(const std::string& path, const std::function<Status(std::ostream&)>& write) {
  if (path.empty() || path == "-") return write(std::cout);
  const bool replaceable = !std::filesystem::exists(path) || std::filesystem::is_regular_file(path);
  const std::string draft = replaceable ? path + ".part-" + std::to_string(::getpid()) : path;
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  if (!file) return Error{ErrorCode::cannot_create, path + ": " + std::generic_category().message(errno)};
  Status written = write(file);
  file.close();
  if (written.ok() && !file) written = Error{ErrorCode::io, "cannot be written"};
  std::error_code failure;
  if (!written.ok()) {
    if (replaceable) std::filesystem::remove(draft, failure);
    return std::move(written).error().within(path);
  }
  if (replaceable) std::filesystem::rename(draft, path, failure);
  if (failure) return Error{ErrorCode::cannot_create, path + ": " + failure.message()};
  return {};
}

}  // namespace qdedup::cli
