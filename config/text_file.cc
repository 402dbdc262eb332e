#include "config/text_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace qdedup::config {

Result<std::string> read_text_file(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return errno_error(path, EISDIR);
  std::ifstream file(path, std::ios::binary);
  if (!file) return errno_error(path, errno);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return Error{ErrorCode::io, path + ": cannot be read"};
  return text;
}

}  // namespace qdedup::config
