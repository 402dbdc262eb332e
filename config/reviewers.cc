#include "config/reviewers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <crypt.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/secret.h"
#include "base/user_name.h"
#include "config/secret_file.h"

namespace qdedup::config {
namespace {

constexpr std::size_t longest_file = std::size_t{1024} * 1024;

constexpr std::size_t key_digits = 25;
constexpr std::size_t digits_in_group = 5;

constexpr const char* method = "$y$";
constexpr unsigned long least_cost = 1;
constexpr std::string_view hash_begin = "$y$j75$";  // method and cost
constexpr std::size_t salt_size = 22;
constexpr std::size_t digest_size = 43;

// A hash that no key is known to have.
constexpr std::string_view nobody =
    "$y$j75$......................$...........................................";

bool is_hash(std::string_view text) {
  const auto is_of_crypt = [](char c) { return is_alphanumeric(c) || c == '.' || c == '/'; };
  if (text.size() != nobody.size() || !text.starts_with(hash_begin)) return false;
  text.remove_prefix(hash_begin.size());
  return text[salt_size] == '$' && std::ranges::all_of(text.substr(0, salt_size), is_of_crypt) &&
         std::ranges::all_of(text.substr(salt_size + 1), is_of_crypt);
}
static_assert(nobody.size() == hash_begin.size() + salt_size + 1 + digest_size);

// The hash of `key` with the cost and the salt of `setting`, which may be a hash; empty if it is none.
std::string hashed(const std::string& key, const std::string& setting) {
  const auto work = std::make_unique<crypt_data>();
  const char* const hash = ::crypt_r(key.c_str(), setting.c_str(), work.get());
  return hash == nullptr || !is_hash(hash) ? std::string() : std::string(hash);
}

// `typed` in small letters and without what separates the groups; none if that is no key.
std::optional<std::string> plain_key(std::string_view typed) {
  std::string key;
  for (const char c : typed) {
    if (c == '-' || c == ' ' || c == '\t') continue;
    const char digit = in_lower_case(c);
    if (secret_digits.find(digit) == std::string_view::npos || key.size() == key_digits) return std::nullopt;
    key += digit;
  }
  return key.size() == key_digits ? std::optional(key) : std::nullopt;
}

}  // namespace

bool may_be_reviewer(std::string_view name) { return is_reviewer_name(name) && !has_blank_ends(name); }

Result<std::vector<Reviewer>> parse_reviewers(std::string_view text, const std::string& source) {
  std::vector<Reviewer> reviewers;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string place = source + ": line " + std::to_string(line);
    const std::string_view row = take_until(text, '\n');
    const auto wrong = [&](const std::string& what) {
      std::string message = place;
      message.append(": ").append(what);
      return Error{ErrorCode::config, std::move(message)};
    };
    const std::size_t colon = row.rfind(':');  // a name may have colons, a hash has none
    if (colon == std::string_view::npos || !may_be_reviewer(row.substr(0, colon)) ||
        !is_hash(row.substr(colon + 1))) {
      return wrong("is not what `qdedup reviewer add` writes, NAME:HASH; remove it, and add the reviewer");
    }
    const std::string name(row.substr(0, colon));
    if (find_reviewer(reviewers, name) != nullptr) return wrong(name + " is there a second time");
    reviewers.push_back({name, std::string(row.substr(colon + 1))});
  }
  return reviewers;
}

std::string text_of(const std::vector<Reviewer>& reviewers) {
  std::string text;
  for (const Reviewer& each : reviewers) text += each.name + ':' + each.hash + '\n';
  return text;
}

Error no_reviewers(const std::string& path) {
  return {ErrorCode::no_input, path + ": does not exist; `qdedup reviewer add` makes it"};
}

Result<std::vector<Reviewer>> read_reviewers(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return no_reviewers(path);
  QDEDUP_ASSIGN_OR_RETURN(const std::string text, read_secret_file(path, 0640, longest_file));
  return parse_reviewers(text, path);
}

const Reviewer* find_reviewer(const std::vector<Reviewer>& reviewers, std::string_view name) {
  const auto found = std::ranges::find(reviewers, name, &Reviewer::name);
  return found == reviewers.end() ? nullptr : &*found;
}

std::string new_key() {
  std::string key = new_secret(key_digits);
  for (std::size_t i = key_digits - digits_in_group; i > 0; i -= digits_in_group) key.insert(i, 1, '-');
  return key;
}

Result<std::string> hash_of(const std::string& key) {
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
  const char* const made =
      ::crypt_gensalt_rn(method, least_cost, nullptr, 0, setting.data(), static_cast<int>(setting.size()));
  const auto plain = plain_key(key);
  std::string hash = made == nullptr || !plain ? std::string() : hashed(*plain, made);
  if (hash.empty()) return Error{ErrorCode::internal, "no hash can be made of a key"};
  return hash;
}

bool is_key_of(std::string_view key, const Reviewer* reviewer) {
  const auto plain = plain_key(key);
  if (!plain) return false;
  const std::string known = reviewer == nullptr ? std::string(nobody) : reviewer->hash;
  return same_secret(hashed(*plain, known), known) && reviewer != nullptr;
}

}  // namespace qdedup::config
