#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include "daemon/descriptor_queue.h"

namespace qdedup::daemon {

// A connection over a unix socket or TCP, as Beast's AsyncStream, that keeps the descriptors which come with
// the bytes (SCM_RIGHTS, see unix(7)). The kernel hands them over with the first byte that they were sent
// with, or before.
class DescriptorStream {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using executor_type = Socket::executor_type;

  DescriptorStream(Socket socket, std::shared_ptr<DescriptorBudget> budget)
      : socket_(std::move(socket)), descriptors_(std::move(budget)) {}

  executor_type get_executor() { return socket_.get_executor(); }
  Socket& socket() { return socket_; }
  DescriptorQueue& descriptors() { return descriptors_; }

  // Some descriptors could not be kept: the budget or those of the process are used up.
  [[nodiscard]] bool lost_descriptors() const { return lost_descriptors_; }

  template <class Buffers, class Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    const boost::asio::mutable_buffer buffer = *boost::asio::buffer_sequence_begin(buffers);
    return boost::asio::async_compose<Handler, void(boost::system::error_code, std::size_t)>(
        ReadSome{.stream = *this, .buffer = buffer}, handler, socket_);
  }

  template <class Buffers, class Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return socket_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  struct ReadSome {
    DescriptorStream& stream;
    boost::asio::mutable_buffer buffer;

    template <class Self>
    void operator()(Self& self) {
      stream.socket_.async_wait(Socket::wait_read, std::move(self));
    }

    template <class Self>
    void operator()(Self& self, boost::system::error_code error) {
      const std::size_t size = error ? 0 : stream.receive(buffer, error);
      if (error == boost::asio::error::would_block) return (*this)(self);
      self.complete(error, size);
    }
  };

  std::size_t receive(boost::asio::mutable_buffer buffer, boost::system::error_code& error);

  Socket socket_;
  DescriptorQueue descriptors_;
  bool lost_descriptors_ = false;
};

}  // namespace qdedup::daemon
