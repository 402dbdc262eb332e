#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace qdedup::review {

// Markup from this program's source. It is created at compile time, so it cannot contain outside input.
class Markup {
 public:
  consteval Markup(const char* literal) : view_(literal) {}  // NOLINT: implicit on purpose
  [[nodiscard]] constexpr std::string_view view() const { return view_; }

 private:
  std::string_view view_;
};

// A piece of an HTML page under construction. Anything but Markup is escaped.
class Html {
 public:
  Html& markup(Markup markup);

  // Text between tags. Control characters other than tab and line feed, invisible format characters,
  // bidirectional controls and noncharacters become visible marks: <span class="mark">U+202E</span>.
  // Malformed UTF-8 becomes U+FFFD. Not for attributes, because of the marks; attributes may contain only
  // numbers.
  Html& text(std::string_view utf8);
  Html& text(std::u32string_view code_points);

  Html& digits(std::int64_t number);        // 1380777178
  Html& count(std::uint64_t number);        // 60,000
  Html& percent(std::uint64_t hundredths);  // 33.33

  [[nodiscard]] std::string_view view() const { return html_; }

 private:
  std::string html_;
};

}  // namespace qdedup::review
