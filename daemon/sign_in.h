#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "config/reviewers.h"

namespace qdedup::daemon {

// Who signed in on the page, and until when. A session lives in memory, so a restart signs everybody out. It
// ends when its reviewer is removed from the file or gets another key: the file is looked at before each use.
// While it cannot be used, nobody comes in. Thread-safe.
class SignIn {
 public:
  static constexpr std::chrono::hours idle{12};          // without a request of the reviewer
  static constexpr std::chrono::hours lifetime{7 * 24};  // since they signed in
  static constexpr std::size_t sessions_each = 16;       // of one reviewer; the one used least recently goes

  // Takes one line that an operator should know about.
  using Report = std::function<void(const std::string& message)>;

  // Reads the file; fails as config::read_reviewers() does. `clock` must outlive it.
  static Result<std::shared_ptr<SignIn>> open(std::string file, const Clock& clock, Report report);

  [[nodiscard]] const std::string& file() const { return file_; }

  // Begins a session and answers its id, letters and digits with 260 random bits; none if the name or the key
  // is wrong. Fails while the file cannot be used.
  Result<std::optional<std::string>> begin(std::string_view name, std::string_view key);

  // Whose session has this id, if anybody's. `is_attended`: a person asks, which keeps the session. Fails
  // while the file cannot be used. The time does not depend on the secret part of the id.
  Result<std::optional<std::string>> reviewer_of(std::string_view id, bool is_attended);

  void end(std::string_view id);

  // Those that are kept, until a look finds them expired.
  [[nodiscard]] std::size_t sessions() const {
    const std::lock_guard lock(mutex_);
    return sessions_.size();
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Session {
    std::string secret;
    config::Reviewer reviewer;  // as they were when they signed in
    Time begun;
    Time used;
  };
  // By the first part of the id, which is looked up; the second one is the secret.
  using Sessions = std::map<std::string, Session, std::less<>>;

  SignIn(std::string file, const Clock& clock, Report report);

  Status look_at_file();
  Status read_file();
  [[nodiscard]] bool is_over(const Session& session) const;
  void make_room_for(const config::Reviewer& reviewer);
  Sessions::iterator find(std::string_view id);

  // What shows that a file is another one, or was written to.
  using Stamp = std::array<std::int64_t, 5>;
  [[nodiscard]] Stamp stamp() const;

  const std::string file_;
  const Clock& clock_;
  Report report_;
  mutable std::mutex mutex_;   // of what follows
  std::optional<Stamp> read_;  // of what was read last
  std::vector<config::Reviewer> reviewers_;
  std::optional<Error> trouble_;  // with the file
  Sessions sessions_;
};

// Why nobody comes in while the file of reviewers cannot be used.
inline constexpr const char* unreadable_reviewers = "who may sign in cannot be read; the journal says why";

// The name of the cookie that holds the id of a session for the page at `origin` ("http://127.0.0.1:9631"):
// browsers keep those of all ports together. Over https only that very host can set it (the prefix
// "__Host-").
std::string session_cookie(std::string_view origin);

// The value of the cookie of that name in all Cookie headers of a request; none if there are several. Linear.
std::optional<std::string_view> cookie_named(const std::vector<std::string_view>& headers,
                                             std::string_view name);

// Set-Cookie, for the browser's page at `origin` to send it back, and no script to read it; an empty `id`
// removes it.
std::string set_session_cookie(std::string_view origin, std::string_view id);

}  // namespace qdedup::daemon
