#include "base/user_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <pwd.h>
#include <unistd.h>

#include "base/utf8.h"

namespace qdedup {
namespace {

constexpr std::size_t max_reviewer_name = 64;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string unix_user() { return unix_user(::geteuid()); }

std::string unix_user(uid_t user) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const int failure = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return failure == 0 && found != nullptr ? found->pw_name : std::to_string(user);
}

bool is_reviewer_name(std::string_view name) {
  return !name.empty() && name.size() <= max_reviewer_name && is_utf8(name) &&
         std::none_of(name.begin(), name.end(), is_control);
}

}  // namespace qdedup
