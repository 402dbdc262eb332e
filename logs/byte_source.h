#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "logs/files.h"
#include "logs/packing.h"

namespace qdedup::logs {

// Bytes that are read once, from front to back; compressed ones are unpacked.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills the front of `buffer` and returns the number of bytes; 0 at the end, where a growing file may be
  // read again later. Damaged compressed data is ErrorCode::data, after what was packed before the damage:
  // with gzip everything except what shares its last byte, with zstd up to its block of at most 128 KiB.
  // Damage that only a checksum reveals is reported at the end of its member.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // After the end: whether the data ended within a compressed member, so that more should follow.
  [[nodiscard]] virtual bool cut_off() const { return false; }

  // How many of the unpacked bytes delivered belong to members that ended correctly, with matching checksum
  // and length if the format has them.
  [[nodiscard]] virtual std::uint64_t verified() const { return 0; }

  // Bytes of the file itself read so far, for progress.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

// The bytes of a file, unchanged, from `offset` on.
class FileSource final : public ByteSource {
 public:
  FileSource(std::shared_ptr<const RegularFile> file, std::uint64_t offset);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return offset_; }

 private:
  std::shared_ptr<const RegularFile> file_;
  std::uint64_t offset_;
};

// A file, a pipe or a terminal. The caller keeps the descriptor and closes it.
class StreamSource final : public ByteSource {
 public:
  static constexpr const char* standard_input = "standard input";

  // Errors begin with `name`.
  StreamSource(int descriptor, std::string name);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t bytes_read_ = 0;
};

// gzip (RFC 1952): any number of members, each verified by its checksum and length. NUL bytes after the last
// member are padding, as for gzip(1); anything else there is damage. Errors about the content begin with
// `name`.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name);

// Half the memory of this machine, in bytes.
std::uint64_t half_of_memory();

// zstd (RFC 8878): any number of frames, skippable ones ignored, checksums verified if a frame has one. A
// frame takes as much memory as its window (zstd --long=N: 2^N bytes). Windows of more than 2 GiB, or of more
// than both 128 MiB and a quarter of `memory_limit`, are ErrorCode::data. All sources of the process together
// use at most `memory_limit`: one that would exceed it, or runs out of memory, fails with ErrorCode::busy,
// because its data may be good. Data that unpacks to more than 16 GiB and 1,100 times its size (gzip's limit
// is 1,032) would keep its reader busy for hours, so it is ErrorCode::data.
std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed, std::string name,
                                        std::uint64_t memory_limit = half_of_memory());

struct Unpacked {
  std::unique_ptr<ByteSource> source;
  Compression compression;
};

// A source whose first bytes were read ahead.
struct Peeked {
  std::string first;                  // fewer than requested if the bytes end or cannot be read
  std::unique_ptr<ByteSource> whole;  // returns all bytes, and the error
};

Peeked peek(std::unique_ptr<ByteSource> source, std::size_t bytes);

// Wraps `packed` in the unpacker that its first bytes require, if any; names do not matter. What other
// programs packed is ErrorCode::data: its bytes are no lines.
Result<Unpacked> unpack(std::unique_ptr<ByteSource> packed, const std::string& name);

// The same for a file. Errors begin with its path.
Result<Unpacked> unpack(std::shared_ptr<const RegularFile> file);

// Finds out how much of a compressed file belongs to members with valid checksums, by unpacking it to its end
// or to the damage. Each call goes on for about `bytes` unpacked ones, from the start only if the file has
// changed or could not be read. Returns whether it is known (RegularFile::verified()).
Result<bool> verify(const std::shared_ptr<const RegularFile>& file, std::uint64_t bytes);

// Unpacks, but of a compressed file only the content of members with valid checksums, followed by the end
// (cut_off() reports an incomplete member) or the damage. First does what verify() has left to do.
Result<Unpacked> unpack_verified(const std::shared_ptr<const RegularFile>& file);

// Whether nothing of the file is known to be damaged or missing; for compressed files, after
// unpack_verified().
[[nodiscard]] bool is_whole(const RegularFile& file);

// Reads until `buffer` is full or the bytes end; returns the number read.
Result<std::size_t> read_full(ByteSource& source, std::span<char> buffer);

}  // namespace qdedup::logs
