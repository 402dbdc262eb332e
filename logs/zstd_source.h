#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <zstd.h>

#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::logs {

// Of this machine, in bytes.
std::uint64_t half_of_memory();

// Unpacks zstd (RFC 8878): any number of frames, skippable ones passed over, checksums checked where a frame
// has one. A frame takes as much memory as its window has (zstd --long=N: 2^N bytes): windows of more than 2
// GiB, or of more than 128 MiB and `memory_limit`, are refused as ErrorCode::data. All sources of the process
// together take no more than `memory_limit`: one that would, or for which there is no memory, fails with
// ErrorCode::busy, as the data may be good. What unpacks to more than a gigabyte and 1,100 times its size (the
// limit of gzip is 1,032) would keep its reader busy for hours: ErrorCode::data.
class ZstdSource final : public ByteSource {
 public:
  // Errors about the content begin with `name`.
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t memory_limit = half_of_memory());
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override;

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] bool cut_off() const override { return in_frame_; }
  [[nodiscard]] std::uint64_t verified() const override { return verified_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return packed_->bytes_read(); }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  Result<bool> refill();
  Status account_for_memory();
  std::size_t give_up(Error error);
  std::size_t unpack_into(std::span<char> buffer);
  [[nodiscard]] std::size_t next_portion() const;

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::uint64_t memory_limit_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::vector<char> input_;
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
  std::size_t wanted_ = 0;  // what zstd asked for, in bytes; 0 between two frames
  bool in_frame_ = false;
  std::uint64_t taken_ = 0;  // packed bytes
  std::uint64_t delivered_ = 0;
  std::uint64_t verified_ = 0;
  std::size_t memory_ = 0;     // that zstd has
  bool holds_output_ = false;  // zstd may have more to give without more input
  std::optional<Error> failure_;
};

}  // namespace qdedup::logs
