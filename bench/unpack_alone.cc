// Unpacks files with ISA-L or libzstd and throws away what comes out: unpack_alone FILE … As many threads as
// there are cores take a file each. Names end in .gz or .zst.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include "base/parallel.h"

namespace {

constexpr std::size_t buffer_bytes = 1U << 20U;

// Fills `buffer`, or less at the end of the file.
std::size_t read(std::ifstream& file, std::vector<char>& buffer) {
  file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  return static_cast<std::size_t>(file.gcount());
}

bool inflate_all(std::ifstream& file) {
  std::vector<char> packed(buffer_bytes);
  std::vector<std::uint8_t> unpacked(buffer_bytes);
  inflate_state state{};
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  while (const std::size_t count = read(file, packed)) {
    state.next_in = reinterpret_cast<std::uint8_t*>(packed.data());
    state.avail_in = static_cast<std::uint32_t>(count);
    do {
      if (state.block_state == ISAL_BLOCK_FINISH) {
        isal_inflate_reset(&state);
        state.crc_flag = ISAL_GZIP;
      }
      state.next_out = unpacked.data();
      state.avail_out = static_cast<std::uint32_t>(unpacked.size());
      if (isal_inflate(&state) != ISAL_DECOMP_OK) return false;
    } while (state.avail_in > 0 || state.avail_out == 0);
  }
  return state.block_state == ISAL_BLOCK_FINISH;
}

bool decompress_all(std::ifstream& file) {
  std::vector<char> packed(buffer_bytes);
  std::vector<char> unpacked(buffer_bytes);
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  std::size_t left = 0;
  while (const std::size_t count = read(file, packed)) {
    ZSTD_inBuffer in{packed.data(), count, 0};
    bool full = false;
    while (in.pos < in.size || full) {
      ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
      left = ZSTD_decompressStream(context, &out, &in);
      if (ZSTD_isError(left) != 0) break;
      full = out.pos == out.size && left != 0;
    }
    if (ZSTD_isError(left) != 0) break;
  }
  ZSTD_freeDCtx(context);
  return left == 0;
}

bool unpack(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  return std::string_view(path).ends_with(".zst") ? decompress_all(file) : inflate_all(file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  std::atomic<bool> failed{false};
  qdedup::parallel_for(paths.size(), qdedup::thread_count(0), [&](std::size_t i) {
    if (unpack(paths[i])) return;
    std::fprintf(stderr, "unpack_alone: %s: cannot be unpacked\n", paths[i].c_str());
    failed = true;
  });
  return failed ? 65 : 0;
}
