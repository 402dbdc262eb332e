#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::refine {

// Whether a pair of duplicates asks the same.
enum class Confidence : std::uint8_t { doubtful, safe };  // in the order of their names, as reports have them

// "safe" or "doubtful", and back.
std::string_view name(Confidence confidence);
std::optional<Confidence> confidence_named(std::string_view name);

// The estimated chance that a pair is not the same question: an integer of ten-thousandths, so that it is the
// same on every machine.
class Risk {
 public:
  static constexpr int certain = 10'000;

  constexpr Risk() = default;
  // The nearest one, if that is less than none or more than certain.
  constexpr explicit Risk(int ten_thousandths) : value_(std::clamp(ten_thousandths, 0, certain)) {}

  [[nodiscard]] constexpr int ten_thousandths() const { return value_; }
  [[nodiscard]] constexpr double share() const { return static_cast<double>(value_) / certain; }

  // NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer
  friend constexpr auto operator<=>(const Risk&, const Risk&) = default;

 private:
  int value_ = 0;
};

// With four decimals: "0.0123". Back from "0", "1" or as many decimals at most: "0.01"; none for other texts.
std::string text_of(Risk risk);
std::optional<Risk> parse_risk(std::string_view text);

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

  // Their names (reason_name), each once; likewise.
  [[nodiscard]] std::vector<std::string_view> names() const;

  friend bool operator==(const Reasons&, const Reasons&) = default;

 private:
  std::string text_;
};

// "polarity" of "polarity:多/少".
std::string_view reason_name(std::string_view reason);

// Which deletions are approved without people: none, or those that are safe up to a risk. Never those whose
// text is incomplete: with the reason needs-figure or too-short.
struct ApprovalPolicy {
  std::optional<Risk> highest_risk;

  [[nodiscard]] bool approves(Confidence confidence, const Reasons& reasons, Risk risk) const;

  friend bool operator==(const ApprovalPolicy&, const ApprovalPolicy&) = default;
};

}  // namespace qdedup::refine
