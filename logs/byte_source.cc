#include "logs/byte_source.h"

#include <cerrno>
#include <utility>

#include <unistd.h>

namespace qdedup::logs {

FileSource::FileSource(std::shared_ptr<const RegularFile> file, std::uint64_t offset)
    : file_(std::move(file)), offset_(offset) {}

Result<std::size_t> FileSource::read(std::span<char> buffer) {
  auto count = file_->read_at(offset_, buffer);
  if (count.ok()) offset_ += *count;
  return count;
}

StreamSource::StreamSource(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

Result<std::size_t> StreamSource::read(std::span<char> buffer) {
  ssize_t count = -1;
  do {
    count = ::read(descriptor_, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return errno_error(name_, errno);
  bytes_read_ += static_cast<std::uint64_t>(count);
  return static_cast<std::size_t>(count);
}

}  // namespace qdedup::logs
