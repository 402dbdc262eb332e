#include "review/html.h"

#include <algorithm>
#include <array>

#include "refine/unicode.h"
#include "review/deletion_list.h"

namespace qdedup::review {

namespace {

struct CodePointRange {
  char32_t first;
  char32_t last;
};

// Characters that are invisible, change the direction of the text that follows, or are not allowed in HTML.
constexpr std::array unseen{
    CodePointRange{0x0000, 0x0008},   CodePointRange{0x000B, 0x001F},   CodePointRange{0x007F, 0x009F},
    CodePointRange{0x00AD, 0x00AD},   CodePointRange{0x034F, 0x034F},   CodePointRange{0x061C, 0x061C},
    CodePointRange{0x115F, 0x1160},   CodePointRange{0x17B4, 0x17B5},   CodePointRange{0x180B, 0x180F},
    CodePointRange{0x200B, 0x200F},   CodePointRange{0x2028, 0x202E},   CodePointRange{0x2060, 0x206F},
    CodePointRange{0x3164, 0x3164},   CodePointRange{0xFDD0, 0xFDEF},   CodePointRange{0xFEFF, 0xFEFF},
    CodePointRange{0xFFA0, 0xFFA0},   CodePointRange{0xFFF0, 0xFFFB},   CodePointRange{0x1BCA0, 0x1BCA3},
    CodePointRange{0x1D173, 0x1D17A}, CodePointRange{0xE0000, 0xE0FFF},
};

bool is_unseen(char32_t c) {
  if ((c & 0xFFFE) == 0xFFFE) return true;
  const auto* range = std::ranges::lower_bound(unseen, c, {}, &CodePointRange::last);
  return range != unseen.end() && c >= range->first;
}

std::string code_point_name(char32_t c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string name;
  for (auto rest = static_cast<std::uint32_t>(c); rest != 0 || name.size() < 4; rest /= 16) {
    name.insert(name.begin(), digits[rest % 16]);
  }
  return "U+" + name;
}

void append_escaped(std::string& html, char32_t c) {
  switch (c) {
    case U'&':
      html += "&amp;";
      break;
    case U'<':
      html += "&lt;";
      break;
    case U'>':
      html += "&gt;";
      break;
    case U'"':
      html += "&quot;";
      break;
    case U'\'':
      html += "&#39;";
      break;
    default:
      html += refine::to_utf8({&c, 1});
  }
}

}  // namespace

Html& Html::markup(Markup markup) {
  html_ += markup.view();
  return *this;
}

Html& Html::text(std::string_view utf8) { return text(refine::to_utf32(utf8)); }

Html& Html::text(std::u32string_view code_points) {
  for (const char32_t c : code_points) {
    if (is_unseen(c)) {
      html_ += "<span class=\"mark\">" + code_point_name(c) + "</span>";
    } else {
      append_escaped(html_, c);
    }
  }
  return *this;
}

Html& Html::digits(std::int64_t number) {
  html_ += std::to_string(number);
  return *this;
}

Html& Html::count(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3) {
    digits.insert(digits.begin() + place, ',');
  }
  html_ += digits;
  return *this;
}

Html& Html::percent(std::uint64_t hundredths) {
  html_ += percent_digits(hundredths);
  return *this;
}

}  // namespace qdedup::review
