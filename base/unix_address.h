#pragma once

#include <string>

#include <sys/socket.h>
#include <sys/un.h>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup {

// The address of a unix socket. A path longer than the 107 bytes that fit into an address is reached through
// its folder, which stays open as long as this object lives.
class UnixAddress {
 public:
  // Fails if the folder cannot be opened or the name alone is too long.
  static Result<UnixAddress> of(const std::string& path);

  [[nodiscard]] const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }
  [[nodiscard]] socklen_t size() const { return sizeof(address_); }

 private:
  UnixAddress() = default;

  FileDescriptor folder_;
  sockaddr_un address_{};
};

}  // namespace qdedup
