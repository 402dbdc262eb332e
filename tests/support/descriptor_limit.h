#pragma once

#include <cerrno>
#include <stdexcept>

#include <sys/resource.h>

#include "base/error.h"

namespace qdedup {

// Whether the whole program can do without descriptors: UndefinedBehaviorSanitizer opens pipes to look at the
// type of an object that it has not seen before, and takes it for a wrong one when it cannot.
#ifdef QDEDUP_SANITIZED
inline constexpr bool works_without_descriptors = false;
#else
inline constexpr bool works_without_descriptors = true;
#endif

// For as long as it lives, this process can open files below this number only.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t number) {
    (void)errno_error("", EMFILE);  // the sanitizer sees the types behind a message while it can
    const bool is_known = ::getrlimit(RLIMIT_NOFILE, &before_) == 0;
    const rlimit limit{.rlim_cur = number, .rlim_max = before_.rlim_max};
    if (!is_known || ::setrlimit(RLIMIT_NOFILE, &limit) != 0) throw std::runtime_error("no limit");
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace qdedup
