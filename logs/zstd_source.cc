#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "logs/byte_source.h"
#include "logs/packing.h"

namespace qdedup::logs {
namespace {

constexpr std::size_t block_header_bytes = 3;
constexpr std::size_t frame_begin_bytes = 5;

// zstd's default limit, and its maximum.
constexpr int min_window_log = 27;
constexpr int max_window_log = 31;
// Memory of contexts without a large window.
constexpr std::size_t least_counted = std::size_t{1} << 27U;

// Used by all open sources.
std::atomic<std::size_t> memory_in_use = 0;

// A quarter of the memory for each, since a log may be opened several times for comparisons.
int window_log_limit(std::uint64_t memory) {
  return std::clamp(static_cast<int>(std::bit_width(memory / 4)) - 1, min_window_log, max_window_log);
}

bool unpacks_without_end(std::uint64_t packed, std::uint64_t unpacked) {
  return unpacked > std::uint64_t{16} << 30U && unpacked / 1100 > packed;
}

std::string zstd_problem(std::size_t result, std::uint64_t memory_limit) {
  if (ZSTD_getErrorCode(result) != ZSTD_error_frameParameter_windowTooLarge) {
    return std::string("damaged zstd data: ") + ZSTD_getErrorName(result);
  }
  const std::string limit = std::to_string(window_log_limit(memory_limit));
  return "takes more memory to unpack than this machine can spare; pack it again with a smaller window: "
         "zstd -dc --long=31 FILE | zstd --long=" +
         limit + " (at most)";
}

Error no_memory(const std::string& name) {
  return {ErrorCode::busy, name + ": no memory to unpack it now, beside the other logs that are being read"};
}

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t memory_limit);
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { memory_in_use -= memory_; }

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
  std::size_t wanted_ = 0;  // bytes that zstd asked for; 0 between two frames
  bool in_frame_ = false;
  std::uint64_t taken_ = 0;  // compressed bytes
  std::uint64_t delivered_ = 0;
  std::uint64_t verified_ = 0;
  std::size_t memory_ = 0;     // used by zstd
  bool holds_output_ = false;  // zstd may have more output without more input
  std::optional<Error> failure_;
};

ZstdSource::ZstdSource(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t memory_limit)
    : packed_(std::move(packed)),
      name_(std::move(name)),
      memory_limit_(memory_limit),
      context_(ZSTD_createDCtx()),
      input_(ZSTD_DStreamInSize()) {
  if (!context_) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log_limit(memory_limit_));
}

Result<std::size_t> ZstdSource::read(std::span<char> buffer) {
  while (!failure_ && !buffer.empty()) {
    QDEDUP_ASSIGN_OR_RETURN(const auto more, refill());
    if (!more && !holds_output_) return 0;
    if (const std::size_t count = unpack_into(buffer); count > 0) return count;
  }
  if (buffer.empty()) return 0;
  return *failure_;
}

// Returns whether there is input.
Result<bool> ZstdSource::refill() {
  if (input_begin_ < input_end_) return true;
  QDEDUP_ASSIGN_OR_RETURN(const auto count, packed_->read(input_));
  input_begin_ = 0;
  input_end_ = count;
  return count > 0;
}

std::size_t ZstdSource::unpack_into(std::span<char> buffer) {
  ZSTD_inBuffer in = {input_.data() + input_begin_, next_portion(), 0};
  ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
  const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
  input_begin_ += in.pos;
  taken_ += in.pos;
  if (Status room = account_for_memory(); !room.ok()) return give_up(std::move(room).error());
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) return give_up(no_memory(name_));
  if (ZSTD_isError(result) != 0)
    return give_up({ErrorCode::data, name_ + ": " + zstd_problem(result, memory_limit_)});
  if (unpacks_without_end(taken_, delivered_)) {
    return give_up({ErrorCode::data, name_ + ": unpacks to more than 1,100 times its size; no log does"});
  }
  if (holds_too_little(taken_, delivered_ + out.pos)) {
    return give_up({ErrorCode::data, name_ + ": damaged zstd data: " + too_little});
  }
  wanted_ = result;
  in_frame_ = result != 0;
  delivered_ += out.pos;
  if (!in_frame_) verified_ = delivered_;
  holds_output_ = in_frame_ && out.pos == out.size;
  return out.pos;
}

std::size_t ZstdSource::give_up(Error error) {
  failure_ = std::move(error);
  in_frame_ = false;
  return 0;
}

// A frame's window is allocated with its header, but used only afterwards. A single source may always
// continue.
Status ZstdSource::account_for_memory() {
  const std::size_t memory = ZSTD_sizeof_DCtx(context_.get());
  if (memory == memory_) return {};
  const std::size_t before = memory_in_use.fetch_add(memory - memory_);  // modulo 2^64
  const std::size_t of_others = before - std::exchange(memory_, memory);
  const bool has_room = of_others < least_counted || of_others + memory <= memory_limit_;
  return has_room ? Status() : Status(no_memory(name_));
}

// The input for one step of zstd: the rest of a block, or a header, never both, because when it finds damage,
// it does not say what it unpacked before in the same call.
std::size_t ZstdSource::next_portion() const {
  if (holds_output_) return 0;
  std::size_t portion = wanted_;
  if (wanted_ == 0) portion = frame_begin_bytes;
  if (wanted_ > block_header_bytes)
    portion = wanted_ - block_header_bytes;  // without the next header, which zstd asks for as well
  return std::min(portion, input_end_ - input_begin_);
}

}  // namespace

std::uint64_t half_of_memory() {
  const std::uint64_t pages = static_cast<std::uint64_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

std::unique_ptr<ByteSource> unpack_zstd(std::unique_ptr<ByteSource> packed, std::string name,
                                        std::uint64_t memory_limit) {
  return std::make_unique<ZstdSource>(std::move(packed), std::move(name), memory_limit);
}

}  // namespace qdedup::logs
