#include "daemon/descriptor_stream.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <boost/asio/error.hpp>
#include <sys/socket.h>
#include <sys/uio.h>

namespace qdedup::daemon {
namespace {

constexpr std::size_t max_descriptors_of_message = 253;  // SCM_MAX_FD of the kernel

// Calls `take` with each descriptor of a message that was received.
template <class Take>
void for_each_descriptor(msghdr& message, Take take) {
  for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr;
       control = CMSG_NXTHDR(&message, control)) {
    if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(control) + i * sizeof(int), sizeof(int));
      take(FileDescriptor(number));
    }
  }
}

ssize_t receive_message(int socket, msghdr& message) {
  ssize_t size = 0;
  do {
    size = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  return size;
}

}  // namespace

std::size_t DescriptorStream::receive(boost::asio::mutable_buffer buffer, boost::system::error_code& error) {
  if (buffer.size() == 0) return 0;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(max_descriptors_of_message * sizeof(int))> control{};
  iovec bytes{.iov_base = buffer.data(), .iov_len = buffer.size()};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = receive_message(socket_.native_handle(), message);
  if (size < 0) {
    error.assign(errno, boost::system::system_category());
    return 0;
  }
  for_each_descriptor(message, [this](FileDescriptor descriptor) {
    if (!descriptors_.push(std::move(descriptor))) lost_descriptors_ = true;
  });
  if ((message.msg_flags & MSG_CTRUNC) != 0) lost_descriptors_ = true;
  if (size == 0) error = boost::asio::error::eof;
  return static_cast<std::size_t>(size);
}

}  // namespace qdedup::daemon
