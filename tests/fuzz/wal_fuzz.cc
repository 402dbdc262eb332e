// The write-ahead log that a process left: raw bytes, and sound logs, whole and damaged, whose checksums are
// computed here from SQLite's documentation ("WAL-mode File Format").

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <fuzzer/FuzzedDataProvider.h>

#include "db/wal_check.h"

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t frame = 24 + page;

void require(bool condition) {
  if (!condition) std::abort();
}

const std::string& database() {
  static const std::string path = [] {
    std::string folder = (std::filesystem::temp_directory_path() / "qdedup-wal-XXXXXX").string();
    require(::mkdtemp(folder.data()) != nullptr);
    return folder + "/a.db";
  }();
  return path;
}

void write(const std::string& suffix, std::string_view bytes) {
  std::ofstream(database() + suffix, std::ios::binary) << bytes;
}

bool is_damaged() {
  const auto found = qdedup::db::find_log_damage(database());
  require(found.ok());
  return found->has_value();
}

void put(std::string& bytes, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(number >> (24 - 8 * i));
}

void put_native(std::string& bytes, std::size_t at, std::uint32_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

struct Checksum {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  void add(std::string_view bytes) {
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      std::array<std::uint32_t, 2> words{};
      std::memcpy(words.data(), bytes.data() + at, sizeof words);
      first += words[0] + second;
      second += words[1] + first;
    }
  }
};

std::string sound_log(std::uint32_t frames, std::uint32_t salt, FuzzedDataProvider& provider) {
  std::string log(32, '\0');
  put(log, 0, 0x377f0682);
  put(log, 4, 3007000);
  put(log, 8, page);
  put(log, 16, salt);
  Checksum sum;
  sum.add(std::string_view(log).substr(0, 24));
  put(log, 24, sum.first);
  put(log, 28, sum.second);
  for (std::uint32_t i = 0; i < frames; ++i) {
    std::string one(frame, provider.ConsumeIntegral<char>());
    put(one, 0, provider.ConsumeIntegralInRange<std::uint32_t>(1, 9));
    put(one, 4, i + 1 == frames || provider.ConsumeBool() ? 9 : 0);
    put(one, 8, salt);
    put(one, 12, 0);
    sum.add(std::string_view(one).substr(0, 8));
    sum.add(std::string_view(one).substr(24));
    put(one, 16, sum.first);
    put(one, 20, sum.second);
    log += one;
  }
  return log;
}

std::string sound_index(std::uint32_t frames, std::uint32_t salt) {
  std::string header(48, '\0');
  header[12] = 1;
  put_native(header, 16, frames);
  put(header, 32, salt);
  Checksum sum;
  sum.add(std::string_view(header).substr(0, 40));
  put_native(header, 40, sum.first);
  put_native(header, 44, sum.second);
  return header + header + std::string(40, '\0');
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider provider(data, size);
  const auto frames = provider.ConsumeIntegralInRange<std::uint32_t>(1, 6);
  const auto committed = provider.ConsumeIntegralInRange<std::uint32_t>(0, frames + 1);
  const auto salt = provider.ConsumeIntegral<std::uint32_t>();
  std::string log = sound_log(frames, salt, provider);
  write("-shm", sound_index(committed, salt));
  write("-wal", log);
  require(is_damaged() == (committed > frames));

  const auto at = provider.ConsumeIntegralInRange<std::size_t>(32, log.size() - 1);
  log[at] = static_cast<char>(log[at] ^ provider.ConsumeIntegralInRange<char>(1, 127));
  write("-wal", log);
  require(is_damaged() || committed <= (at - 32) / frame);

  write("-wal", provider.ConsumeRandomLengthString());
  write("-shm", provider.ConsumeRandomLengthString());
  static_cast<void>(is_damaged());
  return 0;
}
