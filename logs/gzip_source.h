#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "base/result.h"
#include "logs/byte_source.h"

namespace qdedup::logs {

// Unpacks gzip (RFC 1952) with ISA-L: any number of members, each checked against its checksum and length.
// NUL bytes after the last member are padding, as for gzip(1); anything else there is damage.
//
// Where ISA-L finds damage, part of what it has put out is made up. So the state before each call is kept; a
// call that fails is taken back and tried again with half the input, until a single byte is left that cannot
// be unpacked. Of data that is cut off, ISA-L holds the last two bytes back at times, until more comes.
class GzipSource final : public ByteSource {
 public:
  // Errors about the content begin with `name`.
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
  std::unique_ptr<inflate_state> before_;  // as it was before the last call of isal_inflate()
  std::uint32_t portion_;                  // input that isal_inflate() gets at a time
  isal_gzip_header header_ = {};
  Place place_ = Place::before_member;
  bool past_first_member_ = false;
  std::uint64_t delivered_ = 0;
  std::uint64_t verified_ = 0;
  std::optional<Error> damage_;
};

}  // namespace qdedup::logs
