#include "logs/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>
#include <vector>

#include <unistd.h>

namespace qdedup::logs {
namespace {

// `first`, which was already read, followed by the rest.
class RejoinedSource final : public ByteSource {
 public:
  RejoinedSource(std::string first, std::unique_ptr<ByteSource> rest)
      : first_(std::move(first)), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (taken_ == first_.size()) return rest_->read(buffer);
    const std::size_t count = first_.copy(buffer.data(), buffer.size(), taken_);
    taken_ += count;
    return count;
  }
  [[nodiscard]] bool cut_off() const override { return rest_->cut_off(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return rest_->bytes_read(); }

 private:
  std::string first_;
  std::size_t taken_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

constexpr std::size_t scan_bytes = 1U << 18U;

// The bytes before the end of `extent`, followed by its damage, if any.
class VerifiedSource final : public ByteSource {
 public:
  VerifiedSource(std::unique_ptr<ByteSource> source, VerifiedExtent extent)
      : source_(std::move(source)), extent_(std::move(extent)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const auto room =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), extent_.bytes - delivered_));
    if (room == 0 && !buffer.empty() && extent_.damage) return *extent_.damage;
    if (room == 0) return std::size_t{0};
    auto count = source_->read(buffer.first(room));
    if (count.ok()) delivered_ += *count;
    return count;
  }
  [[nodiscard]] bool cut_off() const override { return extent_.cut_off; }
  [[nodiscard]] std::uint64_t verified() const override { return delivered_; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return source_->bytes_read(); }

 private:
  std::unique_ptr<ByteSource> source_;
  VerifiedExtent extent_;
  std::uint64_t delivered_ = 0;
};

}  // namespace

FileSource::FileSource(std::shared_ptr<const RegularFile> file, std::uint64_t offset)
    : file_(std::move(file)), offset_(offset) {}

Result<std::size_t> FileSource::read(std::span<char> buffer) {
  auto count = file_->read_at(offset_, buffer);
  if (count.ok()) offset_ += *count;
  return count;
}

StreamSource::StreamSource(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

Result<std::size_t> StreamSource::read(std::span<char> buffer) {
  ssize_t count = -1;
  do {
    count = ::read(descriptor_, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return errno_error(name_, errno);
  bytes_read_ += static_cast<std::uint64_t>(count);
  return static_cast<std::size_t>(count);
}

Peeked peek(std::unique_ptr<ByteSource> source, std::size_t bytes) {
  std::string first(bytes, '\0');
  std::size_t filled = 0;
  while (filled < bytes) {
    const auto count = source->read(std::span(first).subspan(filled));
    if (!count.ok() || *count == 0) break;  // reading the whole returns the error again
    filled += *count;
  }
  first.resize(filled);
  return {first, std::make_unique<RejoinedSource>(first, std::move(source))};
}

Result<Unpacked> unpack(std::unique_ptr<ByteSource> packed, const std::string& name) {
  std::string first(magic_bytes, '\0');
  QDEDUP_ASSIGN_OR_RETURN(const auto count, read_full(*packed, first));
  first.resize(count);
  if (const auto problem = other_packing(first)) return Error{ErrorCode::data, name + ": " + *problem};
  const Compression compression = compression_of(first);
  std::unique_ptr<ByteSource> source = std::make_unique<RejoinedSource>(std::move(first), std::move(packed));
  if (compression == Compression::gzip) source = unpack_gzip(std::move(source), name);
  if (compression == Compression::zstd) source = unpack_zstd(std::move(source), name);
  return Unpacked{std::move(source), compression};
}

Result<Unpacked> unpack(std::shared_ptr<const RegularFile> file) {
  const std::string name = file->path();
  return unpack(std::make_unique<FileSource>(std::move(file), 0), name);
}

Result<bool> verify(const std::shared_ptr<const RegularFile>& file, std::uint64_t bytes) {
  QDEDUP_ASSIGN_OR_RETURN(const auto now, file->signature());
  if (file->verified() && file->verified()->of == now) return true;
  Verification& under_way = file->verification();
  if (!under_way.rest || under_way.of != now) {
    // The file keeps the source, so the source must not keep the file.
    const std::shared_ptr<const RegularFile> unowned(std::shared_ptr<void>(), file.get());
    QDEDUP_ASSIGN_OR_RETURN(Unpacked unpacked, unpack(unowned));
    under_way = {now, std::move(unpacked.source)};
  }
  std::vector<char> buffer(scan_bytes);
  Result<std::size_t> count = std::size_t{0};
  do {
    if (bytes == 0) return false;
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes));
    count = under_way.rest->read(std::span(buffer).first(room));
    if (count.ok()) bytes -= *count;
  } while (count.ok() && *count > 0);
  const std::shared_ptr<ByteSource> read = std::exchange(under_way.rest, nullptr);
  if (!count.ok() && count.error().code != ErrorCode::data) return count.error();
  VerifiedExtent extent{.of = under_way.of, .bytes = read->verified(), .cut_off = read->cut_off()};
  if (!count.ok()) extent.damage = count.error();
  file->remember(std::move(extent));
  return true;
}

Result<Unpacked> unpack_verified(const std::shared_ptr<const RegularFile>& file) {
  Result<Unpacked> unpacked = unpack(file);
  if (!unpacked.ok() || unpacked->compression == Compression::none) return unpacked;
  QDEDUP_TRY(verify(file, std::numeric_limits<std::uint64_t>::max()));
  unpacked->source = std::make_unique<VerifiedSource>(std::move(unpacked->source), *file->verified());
  return unpacked;
}

bool is_whole(const RegularFile& file) {
  return !file.verified() || (!file.verified()->damage && !file.verified()->cut_off);
}

Result<std::size_t> read_full(ByteSource& source, std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    QDEDUP_ASSIGN_OR_RETURN(const auto count, source.read(buffer.subspan(filled)));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

}  // namespace qdedup::logs
