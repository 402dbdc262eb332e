#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

namespace qdedup::cli {

// A connected unix socket, as Beast's SyncReadStream. The descriptor stays the caller's.
class BlockingStream {
 public:
  // `patience`: how long a read waits for a byte; without an end when it is negative.
  BlockingStream(int socket, std::chrono::milliseconds patience) : socket_(socket), patience_(patience) {}

  // Sends all `bytes`, and copies of the descriptors with the first of them. There are more bytes than
  // batches of 250 descriptors.
  [[nodiscard]] boost::system::error_code write(std::string_view bytes,
                                                const std::vector<int>& descriptors) const;

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, boost::system::error_code& error) {
    return read(*boost::asio::buffer_sequence_begin(buffers), error);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    boost::system::error_code error;
    const std::size_t size = read_some(buffers, error);
    if (error) throw boost::system::system_error(error);
    return size;
  }

 private:
  std::size_t read(boost::asio::mutable_buffer buffer, boost::system::error_code& error) const;

  int socket_;
  std::chrono::milliseconds patience_;
};

}  // namespace qdedup::cli
