// Compressed data, whole and damaged, through the unpackers, and what they give through the line cutter and
// its twin.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include <fuzzer/FuzzedDataProvider.h>
#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include "logs/byte_source.h"
#include "logs/line_cutter.h"
#include "tests/reference/block_cutting.h"
#include "tests/support/drain.h"
#include "tests/support/memory_source.h"

namespace {

using namespace qdedup;

void require(bool condition) {
  if (!condition) std::abort();
}

std::string gzip_member(std::string content) {
  std::string member(content.size() + 1000, '\0');
  isal_zstream stream = {};
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(content.data());
  stream.avail_in = static_cast<std::uint32_t>(content.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(member.data());
  stream.avail_out = static_cast<std::uint32_t>(member.size());
  require(isal_deflate_stateless(&stream) == COMP_OK);
  member.resize(stream.total_out);
  return member;
}

std::string zstd_frame(const std::string& content) {
  std::string frame(ZSTD_compressBound(content.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 1));
  return frame;
}

void damage(std::string& bytes, FuzzedDataProvider& provider) {
  for (int hits = provider.ConsumeIntegralInRange(1, 4); hits > 0 && !bytes.empty(); --hits) {
    const auto place = provider.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
    if (provider.ConsumeBool()) {
      bytes[place] = provider.ConsumeIntegral<char>();
    } else {
      bytes.resize(place);
    }
  }
}

Drained unpack_all(const std::string& bytes, FuzzedDataProvider& provider) {
  const auto portion = provider.ConsumeIntegralInRange<std::size_t>(1, 300);
  const auto room = provider.ConsumeIntegralInRange<std::size_t>(1, 5000);
  auto unpacked = logs::unpack(std::make_unique<MemorySource>(bytes, portion), "memory");
  if (!unpacked.ok()) return {.bytes = {}, .error = unpacked.error()};
  return drain(*unpacked->source, room);
}

// What the buffers are must not matter: to sound data not at all, to damaged data only for how far it goes.
void compare(const Drained& one, const Drained& other) {
  require(one.error.has_value() == other.error.has_value());
  require(one.cut_off == other.cut_off);
  const std::size_t common = std::min(one.bytes.size(), other.bytes.size());
  require(one.bytes.compare(0, common, other.bytes, 0, common) == 0);
  if (!one.error && !one.cut_off) require(one.bytes.size() == other.bytes.size());
}

void cut_into_lines(std::string_view log, FuzzedDataProvider& provider) {
  const auto max_line_bytes = provider.ConsumeIntegralInRange<std::size_t>(0, 40);
  const auto block_bytes = provider.ConsumeIntegralInRange<std::size_t>(1, 100);
  const auto least_room = provider.ConsumeIntegralInRange<std::size_t>(1, 16);
  logs::LineCutter cutter(max_line_bytes, {}, least_room);
  std::size_t from = 0;
  const auto check = [&](const logs::LineBlock& block) {
    require(reference::problem_of(block, log, from, max_line_bytes).empty());
    from = static_cast<std::size_t>(block.end.offset);
  };
  std::string_view rest = log;
  while (!rest.empty()) {
    while (const auto block = cutter.cut()) check(*block);
    const auto room = cutter.room(block_bytes);
    require(!room.empty());
    const std::size_t count = rest.copy(room.data(), room.size());
    cutter.added(count);
    rest.remove_prefix(count);
  }
  while (const auto block = cutter.cut()) check(*block);
  if (const auto block = cutter.finish()) check(*block);
  require(from == reference::end_of_lines(log));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enum class Kind { raw, gzip, zstd };
  FuzzedDataProvider provider(data, size);
  const Kind kind = provider.PickValueInArray({Kind::raw, Kind::gzip, Kind::zstd});
  const bool sound = kind != Kind::raw && provider.ConsumeBool();
  std::string content = provider.ConsumeRandomLengthString(4000);
  if (provider.ConsumeBool()) content += content + content;
  std::string bytes = content;
  if (kind == Kind::gzip) bytes = gzip_member(content) + gzip_member(content);
  if (kind == Kind::zstd) bytes = zstd_frame(content) + zstd_frame(content);
  if (kind != Kind::raw && !sound) damage(bytes, provider);
  const Drained drained = unpack_all(bytes, provider);
  if (sound) require(!drained.error && !drained.cut_off && drained.bytes == content + content);
  compare(drained, unpack_all(bytes, provider));
  cut_into_lines(std::string_view(drained.bytes).substr(0, 100'000), provider);
  return 0;
}
