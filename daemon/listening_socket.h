#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "config/setting_values.h"

namespace qdedup::daemon {

// A listening unix socket in the file system. Its file is removed with the object, unless another has taken
// its place.
class UnixListeningSocket {
 public:
  // See HttpServer::listen_unix().
  static Result<std::unique_ptr<UnixListeningSocket>> open(const std::string& path);
  UnixListeningSocket(const UnixListeningSocket&) = delete;
  UnixListeningSocket& operator=(const UnixListeningSocket&) = delete;
  ~UnixListeningSocket();

  // The socket itself, for accepting connections; the file stays with this object.
  FileDescriptor take_socket() { return std::move(socket_); }

  // Is the file still at its path?
  [[nodiscard]] bool is_in_place() const;

 private:
  UnixListeningSocket(FileDescriptor socket, std::string path)
      : socket_(std::move(socket)), path_(std::move(path)) {}

  FileDescriptor socket_;
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// See HttpServer::listen_tcp().
Result<FileDescriptor> listen_on_loopback(const config::ListenAddress& address);

}  // namespace qdedup::daemon
