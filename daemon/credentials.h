#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace qdedup::daemon {

// What an Authorization header presents: "Bearer <token>", or "Basic" (RFC 7617) with the token as the
// password and the reviewer's name as the user.
struct Credentials {
  enum class Scheme { bearer, basic };

  Scheme scheme = Scheme::bearer;
  std::string user;  // of Basic only (base/reviewer_name.h)
  std::string token;
};

// None for another scheme, a broken Base64, or a user that is no proper name. Linear.
std::optional<Credentials> parse_credentials(std::string_view authorization);

}  // namespace qdedup::daemon
