#pragma once

#include <sys/resource.h>

namespace qdedup::daemon {

// Whether the program itself can do without: UndefinedBehaviorSanitizer opens pipes to look at the type of an
// object, and takes it for a wrong one when it cannot.
#ifdef QDEDUP_SANITIZED
inline constexpr bool works_without_descriptors = false;
#else
inline constexpr bool works_without_descriptors = true;
#endif

// For as long as it lives, this process can open no file.
class NoDescriptorsLeft {
 public:
  NoDescriptorsLeft() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptorsLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptorsLeft(const NoDescriptorsLeft&) = delete;
  NoDescriptorsLeft& operator=(const NoDescriptorsLeft&) = delete;

 private:
  rlimit before_{};
};

}  // namespace qdedup::daemon
