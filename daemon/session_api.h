#pragma once

#include <functional>
#include <memory>
#include <string>

#include "daemon/router.h"
#include "daemon/sign_in.h"

namespace qdedup::daemon {

// Where people sign in, as the settings say now.
struct SignInPlace {
  std::shared_ptr<SignIn> sign_in;  // null: nowhere
  std::string public_url;
};

// Over TCP: POST /api/session with {"name","key"} signs in (401 if one of them is wrong), POST
// /api/session/end signs out; 404 where nobody signs in. `place` is called on the server's thread.
void add_session_routes(Router& router, const std::function<SignInPlace()>& place);

}  // namespace qdedup::daemon
