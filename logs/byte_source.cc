#include "logs/byte_source.h"

#include <utility>

#include "logs/file_source.h"
#include "logs/regular_file.h"
#include "logs/unpack.h"

namespace qdedup::logs {

Result<OpenFile> open_file(const std::string& path) {
  auto opened = RegularFile::open(path);
  if (!opened.ok()) return std::move(opened).error();
  const auto file = std::make_shared<const RegularFile>(std::move(opened).value());
  auto unpacked = unpack(std::make_unique<FileSource>(file, 0), path);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return OpenFile{std::move(unpacked->source), file->device(), file->inode(), file->size(),
                  unpacked->compression};
}

Result<std::unique_ptr<ByteSource>> open_standard_input() {
  auto unpacked = unpack(std::make_unique<StandardInput>(), StandardInput::name);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return std::move(unpacked->source);
}

}  // namespace qdedup::logs
