#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The file of [http] reviewers_file: who may sign in on the review page, a line each, "<name>:<hash of the
// key>". Keys are made here and have 125 random bits, so that they cannot be guessed and their hashes may be
// quick: the least that yescrypt (crypt(5)) does, a millisecond.
namespace qdedup::config {

struct Reviewer {
  std::string name;
  std::string hash;

  friend bool operator==(const Reviewer&, const Reviewer&) = default;
};

// A name that the audit takes (base/user_name.h), without a blank at its ends, where nobody sees it.
bool may_be_reviewer(std::string_view name);

// ErrorCode::config, with the line, for a line of another form or a second one of a name.
Result<std::vector<Reviewer>> parse_reviewers(std::string_view text, const std::string& source);
std::string text_of(const std::vector<Reviewer>& reviewers);

// What is said where the file is missing.
Error no_reviewers(const std::string& path);

// ErrorCode::config if others may use the file than its owner and, to read it, its group (0640).
Result<std::vector<Reviewer>> read_reviewers(const std::string& path);

// Null if nobody has that name.
const Reviewer* find_reviewer(const std::vector<Reviewer>& reviewers, std::string_view name);

// "k7m2p-…": five groups of five letters and digits, without i, l, o and u.
std::string new_key();

Result<std::string> hash_of(const std::string& key);

// Whether `key` is one, as it may be typed, and has that hash. Where there is no `reviewer`, it takes as long
// and answers false.
bool is_key_of(std::string_view key, const Reviewer* reviewer);

}  // namespace qdedup::config
