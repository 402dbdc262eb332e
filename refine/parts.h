#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::refine {

// What the duplicate test sees of a question (doc/rules.md, 3.2).
struct Parts {
  std::u32string signs;  // the sign sequence: each sign followed by `end_of_sign`
  std::u32string han;    // the Han part

  static constexpr char32_t end_of_sign = U'\0';

  friend bool operator==(const Parts&, const Parts&) = default;
};

// Splits a normalised text. Linear in its length.
Parts split(std::u32string_view normalised);

// normalise, then split.
Parts parts_of(std::string_view text);
Parts parts_of(std::u32string_view text);

// The same of a text of which each code point becomes one whatever stands beside it, as in most; `normal`,
// which is as long, becomes its normal form. None for other texts.
std::optional<Parts> parts_of_singles(std::u32string_view text, std::u32string& normal);

// The signs one by one, as UTF-8.
std::vector<std::string> sign_list(const Parts& parts);

// XXH3 64-bit hash of the sign sequence: equal for equal signs. Stored with each question of the bank.
std::uint64_t sign_fingerprint(const Parts& parts);

// Names the rules by which texts become signs and sketches: this program's, and the Unicode version of the
// ICU in use. What was stored under another name must be computed anew.
std::string sign_rules_version();

// XXH3 64-bit hash of a question's text, kept with each deletion to tell when a text changed.
std::uint64_t text_hash(std::string_view text);

}  // namespace qdedup::refine
