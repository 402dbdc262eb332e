#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "logs/byte_source.h"
#include "logs/regular_file.h"

namespace qdedup::logs {

// So many first bytes tell the compression; fewer are taken for plain text, as far as they have come.
inline constexpr std::size_t magic_bytes = 4;

// gzip by RFC 1952, zstd by RFC 8878 (a frame or a skippable frame).
[[nodiscard]] Compression compression_of(std::string_view first_bytes);

// Are the first bytes too few to tell, as they may become those of a compressed file?
[[nodiscard]] bool is_undecided(std::string_view first_bytes);

struct Unpacked {
  std::unique_ptr<ByteSource> source;
  Compression compression;
};

// Puts the unpacker before `packed` that its first bytes ask for, or none: gzip (any number of members) and
// zstd (any number of frames, skippable ones included) are known by their first bytes, not by a name. Errors
// about its content begin with `name`.
Result<Unpacked> unpack(std::unique_ptr<ByteSource> packed, std::string name);

// The same for a whole file. Errors begin with its path.
Result<Unpacked> unpack(std::shared_ptr<const RegularFile> file);

// The same, but of a compressed file only what stands in members whose checksums hold: after that comes the
// end (cut_off() tells of a member that is not complete) or the damage. To find out, a compressed file is
// unpacked once to its end, or to the damage; that is not repeated while the file stays the same.
Result<Unpacked> unpack_verified(const std::shared_ptr<const RegularFile>& file);

// Is nothing known, of a compressed file that was unpacked so, to be damaged or missing?
[[nodiscard]] bool is_whole(const RegularFile& file);

// Reads on until `buffer` is full or the bytes end; says how many came.
Result<std::size_t> read_full(ByteSource& source, std::span<char> buffer);

}  // namespace qdedup::logs
