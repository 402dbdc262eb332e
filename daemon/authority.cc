#include "daemon/authority.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>

#include "base/ascii.h"
#include "base/host.h"
#include "base/secret.h"
#include "base/user_name.h"
#include "config/secret_file.h"
#include "daemon/http_message.h"

namespace qdedup::daemon {
namespace {

// What follows the scheme, if `authorization` uses this one.
std::optional<std::string_view> after_scheme(std::string_view authorization, std::string_view scheme) {
  if (!equal_in_any_case(authorization.substr(0, scheme.size()), scheme)) return std::nullopt;
  authorization.remove_prefix(scheme.size());
  if (!authorization.starts_with(' ')) return std::nullopt;
  authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
  return authorization;
}

// RFC 4648 with its padding.
std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  if (text.find_first_not_of(digits) != std::string_view::npos) return std::nullopt;
  std::string bytes;
  std::size_t bits = 0;  // the lower ones of those read
  for (std::size_t i = 0; i < text.size(); ++i) {
    bits = bits << 6U | digits.find(text[i]);
    if (i % 4 > 0) bytes += static_cast<char>(bits >> (6 - 2 * (i % 4)));
  }
  return bytes;
}

constexpr std::string_view https = "https://";

constexpr std::size_t min_token_size = 16;

// token68 of RFC 9110.
bool is_token(std::string_view text) {
  const std::size_t last = text.find_last_not_of('=');
  if (last == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(last) + 1, [](char c) {
    return is_alphanumeric(c) || std::string_view("-._~+/").find(c) != std::string_view::npos;
  });
}

bool is_this_machine(std::string_view host) {
  const std::string_view name = name_in_host(host);
  return name == "127.0.0.1" || name == "[::1]" || equal_in_any_case(name, "localhost");
}

constexpr std::size_t max_token_file_size = 4096;

Verdict verdict_on(const Result<std::optional<std::string>>& reviewer) {
  if (!reviewer.ok()) return Verdict::unavailable;
  return reviewer->has_value() ? Verdict::granted : Verdict::unauthorised;
}

}  // namespace

std::optional<Credentials> parse_credentials(std::string_view authorization) {
  if (const auto token = after_scheme(authorization, "bearer")) {
    return Credentials{Credentials::Scheme::bearer, "", std::string(*token)};
  }
  const auto encoded = after_scheme(authorization, "basic");
  if (!encoded) return std::nullopt;
  const std::optional<std::string> pair = decode_base64(*encoded);
  if (!pair || pair->find(':') == std::string::npos) return std::nullopt;
  const std::size_t colon = pair->find(':');
  if (!is_reviewer_name(std::string_view(*pair).substr(0, colon))) return std::nullopt;
  return Credentials{Credentials::Scheme::basic, pair->substr(0, colon), pair->substr(colon + 1)};
}

std::optional<Credentials> credentials_in(const std::vector<std::string_view>& authorizations) {
  std::vector<std::string_view> bearers;
  std::ranges::copy_if(authorizations, std::back_inserter(bearers),
                       [](std::string_view each) { return after_scheme(each, "bearer").has_value(); });
  const auto& counting = bearers.empty() ? authorizations : bearers;
  return counting.size() == 1 ? parse_credentials(counting.front()) : std::nullopt;
}

Verdict judge_local_host(const std::vector<std::string_view>& hosts, bool required) {
  if (hosts.empty()) return required ? Verdict::bad_host : Verdict::granted;
  if (hosts.size() != 1) return Verdict::bad_host;
  const std::string_view host = hosts.front();
  if (host.empty()) return Verdict::granted;
  if (!is_host(host)) return Verdict::bad_host;
  return is_this_machine(host) ? Verdict::granted : Verdict::misdirected;
}

Result<Authority> Authority::create(Admission admission) {
  if (admission.token.size() < min_token_size || !is_token(admission.token)) {
    return Error{ErrorCode::config,
                 "http.token_file: the token must be 16 characters or more of A-Z a-z 0-9 - . _ ~ + /"};
  }
  return Authority(std::move(admission));
}

bool Authority::is_known(std::string_view host) const {
  const auto is_asked = [&](const std::string& known) { return equal_in_any_case(known, host); };
  return std::ranges::any_of(admission_.hosts, is_asked) ||
         origin_at(host, admission_.public_url).starts_with(https);
}

Authority::Sender Authority::judge(const std::vector<std::string_view>& hosts,
                                   const std::vector<std::string_view>& authorizations,
                                   const std::vector<std::string_view>& cookies, bool is_attended) const {
  if (hosts.size() != 1 || !is_host(hosts.front())) return {Verdict::bad_host};
  if (!is_known(hosts.front())) return {Verdict::misdirected};
  const std::optional<Credentials> credentials = credentials_in(authorizations);
  const bool is_bearer = credentials && credentials->scheme == Credentials::Scheme::bearer;
  if (has_sign_in() && !is_bearer) return signed_in(hosts.front(), cookies, is_attended);
  if (!credentials || !same_secret(credentials->token, *token_)) return {Verdict::unauthorised};
  return {Verdict::granted, "", [token = std::weak_ptr(token_)] {
            return token.expired() ? Verdict::unauthorised : Verdict::granted;
          }};
}

void Authority::take_place_of(const Authority& other) {
  if (*token_ == *other.token_) token_ = other.token_;
}

Authority::Sender Authority::signed_in(std::string_view host, const std::vector<std::string_view>& cookies,
                                       bool is_attended) const {
  const auto id = cookie_named(cookies, session_cookie(origin_at(host, admission_.public_url)));
  if (!id) return {Verdict::unauthorised};
  const Result<std::optional<std::string>> reviewer = admission_.sign_in->reviewer_of(*id, is_attended);
  const Verdict verdict = verdict_on(reviewer);
  if (verdict != Verdict::granted) return {verdict};
  return {verdict, **reviewer, [place = std::weak_ptr(admission_.sign_in), id = std::string(*id)] {
            const auto sign_in = place.lock();
            return sign_in ? verdict_on(sign_in->reviewer_of(id, false)) : Verdict::unauthorised;
          }};
}

std::string origin_at(std::string_view host, const std::string& public_url) {
  const bool is_public = public_url.starts_with(https) &&
                         equal_in_any_case(std::string_view(public_url).substr(https.size()), host);
  return std::string(is_public ? https : "http://") + std::string(host);
}

Result<std::string> read_token_file(const std::string& path) {
  const std::string key = "http.token_file: ";
  Result<std::string> token = config::read_secret_file(path, 0600, max_token_file_size);
  if (!token.ok()) return Error{token.error().code, key + token.error().message};
  boost::algorithm::trim_if(*token, boost::algorithm::is_any_of(" \t\r\n"));
  if (token->empty()) return Error{ErrorCode::config, key + path + ": holds no token"};
  return token;
}

}  // namespace qdedup::daemon
