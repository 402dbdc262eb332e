#pragma once

#include <chrono>
#include <cstddef>

namespace qdedup::daemon {

// What a client may take of the server. Tests set small ones.
struct HttpLimits {
  std::size_t header_bytes = std::size_t{16} * 1024;
  std::size_t stream_bytes = std::size_t{1024} * 1024;  // of a streamed answer that wait for a slow reader
  std::size_t connections = 64;                         // of each listener; more wait until one ends
  std::size_t descriptors = 4096;  // that were passed and no handler has taken yet, of all connections

  std::chrono::milliseconds idle{60'000};       // between requests
  std::chrono::milliseconds header{10'000};     // from the first byte of a header to its last
  std::chrono::milliseconds body{30'000};       // the same of a body
  std::chrono::milliseconds write{30'000};      // for an answer, or for each 64 KiB of a streamed one
  std::chrono::milliseconds linger{2'000};      // a refused client may still read the answer
  std::chrono::milliseconds accept_pause{100};  // when no connection could be accepted
};

}  // namespace qdedup::daemon
