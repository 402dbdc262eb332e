#include "base/secret.h"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

namespace qdedup {

std::string new_secret(std::size_t digits) {
  std::string secret(digits, '\0');
  if (::getrandom(secret.data(), secret.size(), 0) != static_cast<ssize_t>(secret.size())) {
    throw std::system_error(errno, std::generic_category(), "no random bytes can be had");
  }
  for (char& each : secret) each = secret_digits[static_cast<unsigned char>(each) % secret_digits.size()];
  return secret;
}

bool same_secret(std::string_view presented, std::string_view secret) {
  std::size_t difference = presented.size() ^ secret.size();
  for (std::size_t i = 0; i < presented.size(); ++i) {
    difference |= static_cast<unsigned char>(presented[i] ^ secret[i % secret.size()]);
  }
  const volatile std::size_t result = difference;
  return result == 0;
}

}  // namespace qdedup
