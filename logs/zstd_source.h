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

// Unpacks zstd (RFC 8878): any number of frames, skippable ones passed over, checksums checked where a frame
// has one. A frame takes as much memory as its window has (zstd --long=N: 2^N bytes): windows of more than 2
// GiB, or of more than 128 MiB and half of the machine's memory, are refused as ErrorCode::data. Where memory
// runs out, std::bad_alloc is thrown, as by the containers: the data may be good.
class ZstdSource final : public ByteSource {
 public:
  // Errors about the content begin with `name`.
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] bool cut_off() const override { return in_frame_; }
  [[nodiscard]] std::uint64_t verified() const override { return verified_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return packed_->bytes_read(); }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  Result<bool> refill();
  std::size_t unpack_into(std::span<char> buffer);
  [[nodiscard]] std::size_t next_portion() const;

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  std::vector<char> input_;
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
  std::size_t wanted_ = 0;  // what zstd asked for, in bytes; 0 between two frames
  bool in_frame_ = false;
  std::uint64_t delivered_ = 0;
  std::uint64_t verified_ = 0;
  bool holds_output_ = false;  // zstd may have more to give without more input
  std::optional<Error> damage_;
};

}  // namespace qdedup::logs
