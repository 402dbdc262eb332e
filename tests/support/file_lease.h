#pragma once

#include <csignal>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace qdedup {

// A lease that whoever opens the file waits for, for fs.lease-break-time, because its holder pays no
// attention.
class FileLease {
 public:
  explicit FileLease(const std::string& path)
      : ignored_(std::signal(SIGIO, SIG_IGN)), file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
    if (::fcntl(file_, F_SETLEASE, F_WRLCK) != 0) throw std::runtime_error("no lease of " + path);
  }
  FileLease(const FileLease&) = delete;
  FileLease& operator=(const FileLease&) = delete;
  ~FileLease() {
    ::close(file_);
    std::signal(SIGIO, ignored_);
  }

 private:
  void (*ignored_)(int);
  int file_;
};

}  // namespace qdedup
