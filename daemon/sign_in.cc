#include "daemon/sign_in.h"

#include <algorithm>
#include <utility>

#include <sys/stat.h>

#include "base/ascii.h"
#include "base/secret.h"

namespace qdedup::daemon {
namespace {

constexpr std::size_t handle_digits = 8;
constexpr std::size_t session_secret_digits = 52;

}  // namespace

Result<std::shared_ptr<SignIn>> SignIn::open(std::string file, const Clock& clock, Report report) {
  std::shared_ptr<SignIn> made(new SignIn(std::move(file), clock, std::move(report)));
  QDEDUP_TRY(made->read_file());
  return made;
}

SignIn::SignIn(std::string file, const Clock& clock, Report report)
    : file_(std::move(file)), clock_(clock), report_(std::move(report)) {}

SignIn::Stamp SignIn::stamp() const {
  struct stat about {};
  if (::stat(file_.c_str(), &about) != 0) return {};
  return {static_cast<std::int64_t>(about.st_dev), static_cast<std::int64_t>(about.st_ino), about.st_size,
          about.st_ctim.tv_sec, about.st_ctim.tv_nsec};
}

Status SignIn::read_file() {
  read_ = stamp();
  Result<std::vector<config::Reviewer>> reviewers = config::read_reviewers(file_);
  if (!reviewers.ok()) return reviewers.error();
  reviewers_ = *std::move(reviewers);
  return {};
}

// Reads the file again if it is another one by now. What is wrong with it is reported once.
Status SignIn::look_at_file() {
  if (trouble_ || read_ != stamp()) {
    const Status read = read_file();
    if (!read.ok() && (!trouble_ || trouble_->message != read.error().message)) {
      report_("nobody can sign in: " + read.error().message);
    }
    trouble_ = read.ok() ? std::nullopt : std::optional(read.error());
  }
  if (trouble_) return Error{trouble_->code, unreadable_reviewers};
  return {};
}

Result<std::optional<std::string>> SignIn::begin(std::string_view name, std::string_view key) {
  const std::lock_guard lock(mutex_);
  QDEDUP_TRY(look_at_file());
  const config::Reviewer* const reviewer = config::find_reviewer(reviewers_, name);
  if (!config::is_key_of(key, reviewer)) return std::optional<std::string>();
  std::erase_if(sessions_, [this](const auto& each) { return is_over(each.second); });
  make_room_for(*reviewer);
  const Time now = clock_.steady_now();
  std::string handle = new_secret(handle_digits);
  std::string secret = new_secret(session_secret_digits);
  std::optional<std::string> id = handle + secret;
  sessions_.insert_or_assign(std::move(handle), Session{std::move(secret), *reviewer, now, now});
  return id;
}

bool SignIn::is_over(const Session& session) const {
  const Time now = clock_.steady_now();
  const config::Reviewer* const reviewer = config::find_reviewer(reviewers_, session.reviewer.name);
  return reviewer == nullptr || *reviewer != session.reviewer || now - session.used > idle ||
         now - session.begun > lifetime;
}

void SignIn::make_room_for(const config::Reviewer& reviewer) {
  std::size_t count = 0;
  auto oldest = sessions_.end();
  for (auto each = sessions_.begin(); each != sessions_.end(); ++each) {
    if (each->second.reviewer != reviewer) continue;
    ++count;
    if (oldest == sessions_.end() || each->second.used < oldest->second.used) oldest = each;
  }
  if (count >= sessions_each) sessions_.erase(oldest);
}

SignIn::Sessions::iterator SignIn::find(std::string_view id) {
  const auto found = sessions_.find(id.substr(0, handle_digits));
  const bool is_it = found != sessions_.end() && same_secret(id.substr(handle_digits), found->second.secret);
  return is_it ? found : sessions_.end();
}

Result<std::optional<std::string>> SignIn::reviewer_of(std::string_view id, bool is_attended) {
  const std::lock_guard lock(mutex_);
  QDEDUP_TRY(look_at_file());
  const auto found = find(id);
  if (found == sessions_.end() || is_over(found->second)) return std::optional<std::string>();
  if (is_attended) found->second.used = clock_.steady_now();
  return std::optional(found->second.reviewer.name);
}

void SignIn::end(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found = find(id);
  if (found != sessions_.end()) sessions_.erase(found);
}

std::string session_cookie(std::string_view origin) {
  const std::string_view host = origin.substr(origin.find("://") + 3);
  const std::size_t colon = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
  const std::string port = colon < host.size() ? "-" + std::string(host.substr(colon + 1)) : "";
  return (origin.starts_with("https://") ? "__Host-qdedup" : "qdedup") + port;
}

std::optional<std::string_view> cookie_named(const std::vector<std::string_view>& headers,
                                             std::string_view name) {
  std::optional<std::string_view> found;
  for (std::string_view header : headers) {
    while (!header.empty()) {
      std::string_view pair = take_until(header, ';');
      pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
      if (!pair.starts_with(name) || pair.substr(name.size(), 1) != "=") continue;
      if (found) return std::nullopt;
      found = pair.substr(name.size() + 1);
    }
  }
  return found;
}

std::string set_session_cookie(std::string_view origin, std::string_view id) {
  return session_cookie(origin) + "=" + std::string(id) + "; Path=/; HttpOnly; SameSite=Strict" +
         (origin.starts_with("https://") ? "; Secure" : "") + (id.empty() ? "; Max-Age=0" : "");
}

}  // namespace qdedup::daemon
