#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "logs/byte_source.h"
#include "logs/packing.h"

namespace qdedup::logs {
namespace {

constexpr std::uint32_t input_bytes = 128 * 1024;
constexpr std::uint32_t reserved_flags = 0xE0;
constexpr std::size_t greatest_output = 1U << 30U;  // ISA-L counts in 32 bits

const char* reason_of(int isal_error) {
  switch (isal_error) {
    case ISAL_INVALID_BLOCK:
      return "bad block";
    case ISAL_INVALID_SYMBOL:
      return "bad symbol";
    case ISAL_INVALID_LOOKBACK:
      return "reference to what is not there";
    case ISAL_INVALID_WRAPPER:
      return "bad member header";
    case ISAL_UNSUPPORTED_METHOD:
      return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
      return "checksum does not match";
    default:
      return "unknown error";
  }
}

// When ISA-L finds damage, part of its output is invalid. So the state before each call is kept; a failed
// call is undone and repeated with half the input, until a single byte is left that cannot be unpacked. If
// data is cut off, ISA-L may hold back the last two bytes until more comes.
class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name);

  Result<std::size_t> read(std::span<char> buffer) override;
  [[nodiscard]] bool cut_off() const override { return place_ == Place::header || place_ == Place::body; }
  [[nodiscard]] std::uint64_t verified() const override { return verified_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return packed_->bytes_read(); }

 private:
  enum class Place { before_member, header, body, padding };

  Result<bool> refill();
  std::size_t step(std::span<char> buffer);
  void begin_member();
  void read_header();
  std::size_t read_body(std::span<char> buffer);
  int inflate(std::span<char> buffer);
  void take_back(int result);
  std::size_t drain(std::span<char> buffer);
  void skip_padding();
  void damaged(const std::string& what);

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  std::unique_ptr<inflate_state> state_;
  std::unique_ptr<inflate_state> before_;  // the state before the last call of isal_inflate()
  std::uint32_t portion_;                  // input per call of isal_inflate()
  isal_gzip_header header_ = {};
  Place place_ = Place::before_member;
  bool past_first_member_ = false;
  std::uint64_t taken_ = 0;  // compressed bytes
  std::uint64_t delivered_ = 0;
  std::uint64_t verified_ = 0;
  std::optional<Error> damage_;
};

GzipSource::GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
    : packed_(std::move(packed)),
      name_(std::move(name)),
      input_(input_bytes),
      state_(std::make_unique<inflate_state>()),
      before_(std::make_unique<inflate_state>()),
      portion_(input_bytes) {
  isal_inflate_init(state_.get());
}

Result<std::size_t> GzipSource::read(std::span<char> buffer) {
  while (!damage_ && !buffer.empty()) {
    QDEDUP_ASSIGN_OR_RETURN(const auto more, refill());
    if (holds_too_little(taken_, delivered_)) {
      damaged(too_little);
      break;
    }
    const bool may_go_on = more || place_ == Place::body;  // a body may still have output
    if (!may_go_on) return 0;
    if (const std::size_t count = step(buffer); count > 0) return count;
    if (!more && place_ == Place::body) return 0;
  }
  if (const std::size_t count = drain(buffer); count > 0 || buffer.empty()) return count;
  return *damage_;
}

// Returns whether there is input.
Result<bool> GzipSource::refill() {
  if (state_->avail_in > 0) return true;
  QDEDUP_ASSIGN_OR_RETURN(const auto count, packed_->read(input_));
  state_->next_in = reinterpret_cast<std::uint8_t*>(input_.data());
  state_->avail_in = static_cast<std::uint32_t>(count);
  taken_ += count;
  return count > 0;
}

std::size_t GzipSource::step(std::span<char> buffer) {
  switch (place_) {
    case Place::before_member:
      begin_member();
      break;
    case Place::header:
      read_header();
      break;
    case Place::body:
      return read_body(buffer);
    case Place::padding:
      skip_padding();
      break;
  }
  return 0;
}

void GzipSource::begin_member() {
  if (past_first_member_ && *state_->next_in == 0) {
    place_ = Place::padding;
  } else if (past_first_member_ && *state_->next_in != 0x1F) {
    damaged("something else follows the last member");
  } else {
    isal_inflate_reset(state_.get());
    isal_gzip_header_init(&header_);
    state_->crc_flag = ISAL_GZIP;
    portion_ = input_bytes;
    place_ = Place::header;
  }
}

// In a separate call, because isal_inflate() forgets a header that comes in parts.
void GzipSource::read_header() {
  const int result = isal_read_gzip_header(state_.get(), &header_);
  if (result < 0) return damaged(reason_of(result));
  if (result != ISAL_DECOMP_OK) return;
  if ((header_.flags & reserved_flags) != 0) return damaged("unknown header flags");
  place_ = Place::body;
}

std::size_t GzipSource::read_body(std::span<char> buffer) {
  const std::uint32_t input_before = state_->avail_in;
  const int result = inflate(buffer);
  if (result < 0) {
    take_back(result);
    return 0;
  }
  const auto count =
      static_cast<std::size_t>(state_->next_out - reinterpret_cast<std::uint8_t*>(buffer.data()));
  delivered_ += count;
  if (state_->block_state == ISAL_BLOCK_FINISH) {
    verified_ = delivered_;
    place_ = Place::before_member;
    past_first_member_ = true;
  } else if (count == 0 && input_before > 0 && state_->avail_in == input_before) {
    damaged("no way on");
  }
  return count;
}

int GzipSource::inflate(std::span<char> buffer) {
  *before_ = *state_;
  const std::uint32_t held_back = state_->avail_in - std::min(state_->avail_in, portion_);
  state_->avail_in -= held_back;
  state_->next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
  state_->avail_out = static_cast<std::uint32_t>(std::min(buffer.size(), greatest_output));
  const int result = isal_inflate(state_.get());
  state_->avail_in += held_back;
  return result;
}

void GzipSource::take_back(int result) {
  *state_ = *before_;
  const std::uint32_t failed_with = std::min(state_->avail_in, portion_);
  if (failed_with <= 1) return damaged(reason_of(result));
  portion_ = failed_with / 2;
}

// Output that ISA-L had produced before the damage but had no room for.
std::size_t GzipSource::drain(std::span<char> buffer) {
  const auto waiting = static_cast<std::size_t>(state_->tmp_out_valid - state_->tmp_out_processed);
  const std::size_t count = std::min(waiting, buffer.size());
  std::copy_n(state_->tmp_out_buffer + state_->tmp_out_processed, count, buffer.data());
  state_->tmp_out_processed += static_cast<std::int32_t>(count);
  return count;
}

void GzipSource::skip_padding() {
  const std::uint8_t* const end = state_->next_in + state_->avail_in;
  const bool all_nul =
      std::all_of<const std::uint8_t*>(state_->next_in, end, [](std::uint8_t byte) { return byte == 0; });
  if (!all_nul) return damaged("something else follows the padding");
  state_->avail_in = 0;
}

void GzipSource::damaged(const std::string& what) {
  damage_ = Error{ErrorCode::data, name_ + ": damaged gzip data: " + what};
  place_ = Place::before_member;
}

}  // namespace

std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<GzipSource>(std::move(packed), std::move(name));
}

}  // namespace qdedup::logs
