#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "logs/byte_source.h"

namespace qdedup {

// Everything that a source has to give, up to its end or to its error.
struct Drained {
  std::string bytes;
  std::optional<Error> error;
  bool cut_off = false;
};

// Reads in portions of `room` bytes.
inline Drained drain(logs::ByteSource& source, std::size_t room = 1U << 16U) {
  Drained drained;
  std::vector<char> buffer(room);
  while (true) {
    auto count = source.read(buffer);
    if (!count.ok()) {
      drained.error = std::move(count).error();
      return drained;
    }
    if (*count == 0) {
      drained.cut_off = source.cut_off();
      return drained;
    }
    drained.bytes.append(buffer.data(), *count);
  }
}

}  // namespace qdedup
