#include "cli/unix_user.h"

#include <array>

#include <pwd.h>
#include <unistd.h>

namespace qdedup::cli {

std::string unix_user() { return unix_user(::geteuid()); }

std::string unix_user(uid_t user) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const int failure = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return failure == 0 && found != nullptr ? found->pw_name : std::to_string(user);
}

}  // namespace qdedup::cli
