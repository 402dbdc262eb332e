#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace qdedup {

// The name of the user; the number if it has no name.
std::string unix_user(uid_t user);

// Whether `name` may be recorded in the audit as the one who decided: UTF-8, 1 to 64 bytes, without control
// and format characters (bidirectional overrides and the like) or line separators. Linear.
[[nodiscard]] bool is_reviewer_name(std::string_view name);

// Whether it begins or ends with white space, of any kind that Unicode has on a line. Linear.
[[nodiscard]] bool has_blank_ends(std::string_view name);

// The user that stands in the audit for a reviewer who signed in: "reviewer:ann". No user of the system has a
// colon in the name.
[[nodiscard]] std::string signed_in_user(std::string_view reviewer);

// Whether `note` may be recorded with a decision. Linear.
[[nodiscard]] bool is_note(std::string_view note);
inline constexpr std::string_view note_rule =
    "a note is UTF-8 without control characters but line feeds, at most 4,096 bytes";

}  // namespace qdedup
