#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/files.h"

namespace qdedup::logs {

enum class Compression { none, gzip, zstd };

// Bytes that are read once, from front to back; compressed ones arrive unpacked.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills the front of `buffer` and returns how many bytes it got; 0 at the end, where a file that grows may
  // be read again. Damaged compressed data is ErrorCode::data, after what was packed before the damage: with
  // gzip all but what shares the last byte with it, with zstd up to its block of 128 KiB at most. Damage that
  // only a checksum shows is reported at the end of its member.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  // After the end: did the data end within a compressed member, so that more must follow one day?
  [[nodiscard]] virtual bool cut_off() const { return false; }

  // How many of the unpacked bytes that were delivered stand in members that ended as they should: checksum
  // and length hold, where the format has them.
  [[nodiscard]] virtual std::uint64_t verified() const { return 0; }

  // Of the file itself, so far: for progress.
  [[nodiscard]] virtual std::uint64_t bytes_read() const = 0;
};

// The bytes of a file as they are, from `offset` on.
class FileSource final : public ByteSource {
 public:
  FileSource(std::shared_ptr<const RegularFile> file, std::uint64_t offset);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] std::uint64_t bytes_read() const override { return offset_; }

 private:
  std::shared_ptr<const RegularFile> file_;
  std::uint64_t offset_;
};

// A file, a pipe or a terminal. Whoever opened it closes it.
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

// So many first bytes tell the compression; fewer are taken for plain text, as far as they have come.
inline constexpr std::size_t magic_bytes = 4;

// gzip by RFC 1952, zstd by RFC 8878 (a frame or a skippable frame).
[[nodiscard]] Compression compression_of(std::string_view first_bytes);

// Are the first bytes too few to tell, as they may become those of a compressed file?
[[nodiscard]] bool is_undecided(std::string_view first_bytes);

// gzip (RFC 1952): any number of members, each checked against its checksum and length. NUL bytes after the
// last member are padding, as for gzip(1); anything else there is damage. Errors about the content begin with
// `name`.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name);

// Of this machine, in bytes.
std::uint64_t half_of_memory();

// zstd (RFC 8878): any number of frames, skippable ones passed over, checksums checked where a frame has one.
// A frame takes as much memory as its window has (zstd --long=N: 2^N bytes): windows of more than 2 GiB, or
// of more than 128 MiB and a quarter of `memory_limit`, are refused as ErrorCode::data. All sources of the
// process together take no more than `memory_limit`: one that would, or for which there is no memory, fails
// with ErrorCode::busy, as the data may be good. What unpacks to more than 16 GiB and 1,100 times its size
// (the limit of gzip is 1,032) would keep its reader busy for hours: ErrorCode::data.
std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed, std::string name,
                                        std::uint64_t memory_limit = half_of_memory());

struct Unpacked {
  std::unique_ptr<ByteSource> source;
  Compression compression;
};

// A source whose first bytes were looked at.
struct Peeked {
  std::string first;                  // fewer than were asked for where the bytes end, or cannot be read
  std::unique_ptr<ByteSource> whole;  // gives all bytes, and the error
};

Peeked peek(std::unique_ptr<ByteSource> source, std::size_t bytes);

// Puts the unpacker before `packed` that its first bytes ask for, or none; names do not matter.
Result<Unpacked> unpack(std::unique_ptr<ByteSource> packed, const std::string& name);

// The same for a whole file. Errors begin with its path.
Result<Unpacked> unpack(std::shared_ptr<const RegularFile> file);

// The same, but of a compressed file only what stands in members whose checksums hold: after that comes the
// end (cut_off() tells of a member that is not complete) or the damage. To find out, a compressed file is
// unpacked once to its end, or to the damage; that is not repeated while the file stays the same.
Result<Unpacked> unpack_verified(const std::shared_ptr<const RegularFile>& file);

// Is nothing known, of a compressed file that was unpacked so, to be damaged or missing?
[[nodiscard]] bool is_whole(const RegularFile& file);

// Reads until `buffer` is full or the bytes end; returns how many came.
Result<std::size_t> read_full(ByteSource& source, std::span<char> buffer);

}  // namespace qdedup::logs
