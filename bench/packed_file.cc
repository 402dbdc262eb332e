#include "bench/packed_file.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <isa-l/igzip_lib.h>
#include <zstd.h>

namespace qdedup::bench {
namespace {

std::string gzipped(std::string_view bytes) {
  std::vector<std::uint8_t> level_buffer(ISAL_DEF_LVL1_DEFAULT);
  std::string member(bytes.size() + bytes.size() / 1000 + 512, '\0');
  std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  isal_zstream stream{};
  isal_deflate_stateless_init(&stream);
  stream.level = 1;
  stream.level_buf = level_buffer.data();
  stream.level_buf_size = ISAL_DEF_LVL1_DEFAULT;
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = input.data();
  stream.avail_in = static_cast<std::uint32_t>(input.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(member.data());
  stream.avail_out = static_cast<std::uint32_t>(member.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) std::abort();
  member.resize(stream.total_out);
  return member;
}

std::string zstd_packed(std::string_view bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), 3);
  if (ZSTD_isError(size) != 0) std::abort();
  frame.resize(size);
  return frame;
}

}  // namespace

std::string_view ending(Packing packing) {
  if (packing == Packing::gzip) return ".gz";
  return packing == Packing::zstd ? ".zst" : "";
}

std::string packed(std::string_view bytes, Packing packing) {
  if (packing == Packing::gzip) return gzipped(bytes);
  return packing == Packing::zstd ? zstd_packed(bytes) : std::string(bytes);
}

NewFile::NewFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail();
}

void NewFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
}

void NewFile::close() {
  if (std::fclose(file_.release()) != 0) fail();
}

void NewFile::fail() const {
  std::fprintf(stderr, "make_week: %s: %s\n", path_.c_str(), std::strerror(errno));
  std::exit(74);
}

}  // namespace qdedup::bench
