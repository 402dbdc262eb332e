#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::refine {

// Whether a pair of duplicates asks the same.
enum class Confidence : std::uint8_t { doubtful, safe };  // in the order of their names, as reports have them
inline constexpr std::array confidences = {Confidence::doubtful, Confidence::safe};

// "safe" or "doubtful", and back.
std::string_view name(Confidence confidence);
std::optional<Confidence> confidence_named(std::string_view name);

// Why a pair is doubtful: kinds of findings (refine/contrast.h), each once. As a text they are joined by ';'.
class Reasons {
 public:
  Reasons() = default;
  explicit Reasons(std::string text) : text_(std::move(text)) {}

  // Unless it is there already.
  void add(std::string_view reason);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  // One by one; the views hold as long as the object is not changed.
  [[nodiscard]] std::vector<std::string_view> all() const;

  friend bool operator==(const Reasons&, const Reasons&) = default;

 private:
  std::string text_;
};

// "polarity" of "polarity:多/少".
std::string_view reason_name(std::string_view reason);

}  // namespace qdedup::refine
