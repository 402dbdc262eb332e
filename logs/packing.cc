#include "logs/packing.h"

#include <algorithm>
#include <iterator>

namespace qdedup::logs {

Compression compression_of(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  if (first_bytes.starts_with("\x1F\x8B"sv)) return Compression::gzip;
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD"sv)) return Compression::zstd;
  const bool skippable = !first_bytes.empty() && first_bytes[0] >= '\x50' && first_bytes[0] <= '\x5F' &&
                         first_bytes.substr(1).starts_with("\x2A\x4D\x18"sv);
  return skippable ? Compression::zstd : Compression::none;
}

std::optional<std::string> other_packing(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  struct Packer {
    std::string_view begins;
    std::string_view name;
  };
  // None has a line feed.
  static constexpr Packer packers[] = {
      {"\xFD\x37zXZ\0"sv, "xz"sv},
      {"BZh91AY&SY"sv, "bzip2"sv},
      {"BZh9\x17\x72\x45\x38\x50\x90"sv, "bzip2"sv},
      {"LZIP\x01"sv, "lzip"sv},
      {"\x04\x22\x4D\x18"sv, "lz4"sv},
      {"\x02\x21\x4C\x18"sv, "lz4"sv},
      {"\x89LZO\0"sv, "lzop"sv},
      {"\x5D\0\0"sv, "lzma"sv},
      {"\x1F\x9D"sv, "compress"sv},
      {"\xFF\x06\0\0sNaPpY"sv, "snappy"sv},
      {"PK\x03\x04"sv, "zip"sv},
      {"PK\x05\x06"sv, "zip"sv},
      {"7z\xBC\xAF\x27\x1C"sv, "7z"sv},
      {"Rar!\x1A\x07"sv, "rar"sv},
  };
  const std::size_t level = std::string_view("BZh").size();  // of bzip2: any digit
  std::string magic(first_bytes);
  if (magic.starts_with("BZh"sv) && magic.size() > level) magic[level] = '9';
  const auto* const found =
      std::ranges::find_if(packers, [&](const Packer& packer) { return magic.starts_with(packer.begins); });
  if (found == std::end(packers)) return std::nullopt;
  return "is packed with " + std::string(found->name) + ": unpack it, or pack it with gzip or zstd";
}

std::optional<std::string> second_packing(std::string_view first_unpacked_bytes) {
  const bool is_packed =
      compression_of(first_unpacked_bytes) != Compression::none || other_packing(first_unpacked_bytes);
  if (!is_packed) return std::nullopt;
  return "is packed twice: unpack it once";
}

bool is_undecided(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  if (first_bytes.size() >= magic_bytes || compression_of(first_bytes) != Compression::none) return false;
  const bool skippable = first_bytes.empty() || (first_bytes[0] >= '\x50' && first_bytes[0] <= '\x5F' &&
                                                 "\x2A\x4D\x18"sv.starts_with(first_bytes.substr(1)));
  return skippable || "\x1F\x8B"sv.starts_with(first_bytes) || "\x28\xB5\x2F\xFD"sv.starts_with(first_bytes);
}

}  // namespace qdedup::logs
