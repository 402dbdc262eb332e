#include "logs/files.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "logs/file_source.h"

namespace qdedup::logs {
namespace {

constexpr const char* standard_input_path = "-";

Result<std::shared_ptr<const RegularFile>> shared(Result<RegularFile> file,
                                                  const std::function<void()>& moved) {
  if (!file.ok()) return std::move(file).error();
  file->on_read(moved);
  return std::make_shared<const RegularFile>(*std::move(file));
}

}  // namespace

Result<std::shared_ptr<const RegularFile>> DiskFiles::open(const std::string& path) const {
  return shared(RegularFile::open(path), moved_);
}

std::optional<FileSignature> DiskFiles::signature(const std::string& path) const {
  return signature_of(path);
}

Result<std::unique_ptr<ByteSource>> DiskFiles::standard_input() const {
  return std::unique_ptr<ByteSource>(
      std::make_unique<StreamSource>(STDIN_FILENO, StreamSource::standard_input));
}

HandedFiles::~HandedFiles() {
  for (const auto& [path, handed] : handed_) {
    if (handed.descriptor >= 0) ::close(handed.descriptor);
  }
}

void HandedFiles::hand(const std::string& path, int descriptor) { put(path, {descriptor, 0}); }

void HandedFiles::hand_failure(const std::string& path, int errno_value) { put(path, {-1, errno_value}); }

void HandedFiles::put(const std::string& path, Handed handed) {
  Handed& place = handed_[path];
  if (place.descriptor >= 0) ::close(place.descriptor);
  place = handed;
}

const HandedFiles::Handed* HandedFiles::find(const std::string& path) const {
  const auto found = handed_.find(path);
  return found == handed_.end() ? nullptr : &found->second;
}

Result<std::shared_ptr<const RegularFile>> HandedFiles::open(const std::string& path) const {
  const Handed* const handed = find(path);
  if (handed == nullptr) return disk_.open(path);
  if (handed->descriptor < 0) return errno_error(path, handed->failure);
  const int descriptor = ::fcntl(handed->descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return errno_error(path, errno);
  return shared(RegularFile::adopt(descriptor, path), moved_);
}

std::optional<FileSignature> HandedFiles::signature(const std::string& path) const {
  const Handed* const handed = find(path);
  if (handed == nullptr) return disk_.signature(path);
  return handed->descriptor < 0 ? std::nullopt : signature_of(handed->descriptor);
}

Result<std::unique_ptr<ByteSource>> HandedFiles::standard_input() const {
  const Handed* const handed = find(standard_input_path);
  const int failure = handed == nullptr ? EBADF : handed->failure;
  if (failure != 0) return errno_error(StreamSource::standard_input, failure);
  return std::unique_ptr<ByteSource>(
      std::make_unique<StreamSource>(handed->descriptor, StreamSource::standard_input));
}

}  // namespace qdedup::logs
