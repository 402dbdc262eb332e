#include "logs/log_head.h"

#include <algorithm>
#include <span>
#include <utility>

#include <xxhash.h>

#include "logs/unpack.h"

namespace qdedup::logs {

bool LogHead::is_undecided() const {
  return compression == Compression::none ? logs::is_undecided(bytes) : bytes.empty();
}

Result<LogHead> read_head(const std::shared_ptr<const RegularFile>& file) {
  Result<Unpacked> unpacked = unpack(file);
  if (!unpacked.ok()) return std::move(unpacked).error();
  LogHead head;
  head.bytes.resize(LogMark::window);
  head.compression = unpacked->compression;
  std::size_t length = 0;
  while (length < head.bytes.size()) {
    const Result<std::size_t> read = unpacked->source->read(std::span(head.bytes).subspan(length));
    if (!read.ok() && length == 0) return read.error();
    if (!read.ok()) break;
    if (*read == 0) {
      head.cut_off = unpacked->source->cut_off();
      break;
    }
    length += *read;
  }
  head.bytes.resize(length);
  return head;
}

bool may_begin_with(std::string_view head, const LogMark& mark) {
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(mark.offset, LogMark::window));
  return head.size() < length || XXH3_64bits(head.data(), length) == mark.head_hash;
}

}  // namespace qdedup::logs
