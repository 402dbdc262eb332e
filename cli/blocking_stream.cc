#include "cli/blocking_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <boost/asio/error.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace qdedup::cli {
namespace {

using boost::system::error_code;

constexpr std::size_t batch_size = 250;  // the kernel takes 253 at a time

error_code last_error() { return {errno, boost::system::system_category()}; }

// Puts the descriptors into `message`, by way of `room`.
template <std::size_t size>
void attach(msghdr& message, std::array<char, size>& room, const int* descriptors, std::size_t count) {
  if (count == 0) return;
  message.msg_control = room.data();
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  cmsghdr* control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(count * sizeof(int));
  std::memcpy(CMSG_DATA(control), descriptors, count * sizeof(int));
}

// Sends some of `bytes`; their number, or -1.
ssize_t send_some(int socket, std::string_view bytes, const int* descriptors, std::size_t count) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(batch_size * sizeof(int))> room{};
  iovec part{.iov_base = const_cast<char*>(bytes.data()),
             .iov_len = bytes.size()};  // sendmsg() does not write there
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  attach(message, room, descriptors, count);
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

}  // namespace

error_code BlockingStream::write(std::string_view bytes, const std::vector<int>& descriptors) const {
  for (std::size_t i = 0; i < descriptors.size(); i += batch_size) {
    const std::size_t count = std::min(batch_size, descriptors.size() - i);
    if (send_some(socket_, bytes.substr(0, 1), &descriptors[i], count) < 0) return last_error();
    bytes.remove_prefix(1);
  }
  while (!bytes.empty()) {
    const ssize_t sent = send_some(socket_, bytes, nullptr, 0);
    if (sent < 0) return last_error();
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

std::size_t BlockingStream::read(boost::asio::mutable_buffer buffer, error_code& error) const {
  pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
  ssize_t size = -1;
  do {
    const int ready = ::poll(
        &waiting, 1, static_cast<int>(std::max<std::chrono::milliseconds::rep>(patience_.count(), -1)));
    if (ready == 0) {
      error = boost::asio::error::timed_out;
      return 0;
    }
    if (ready > 0) size = ::recv(socket_, buffer.data(), buffer.size(), 0);
  } while (size < 0 && errno == EINTR);
  error = size < 0 ? last_error() : error_code();
  if (size == 0) error = boost::asio::error::eof;
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

}  // namespace qdedup::cli
