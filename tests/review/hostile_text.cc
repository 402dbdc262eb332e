#include "tests/review/hostile_text.h"

#include <array>
#include <string_view>

namespace qdedup::review {

std::string hostile_text(std::mt19937_64& random) {
  constexpr std::array<std::string_view, 47> pieces{",",
                                                    ";",
                                                    "\t",
                                                    "\"",
                                                    "\"\"",
                                                    "'",
                                                    "\r",
                                                    "\n",
                                                    "\r\n",
                                                    "=",
                                                    "+",
                                                    "-",
                                                    "@",
                                                    "=1+1",
                                                    "|",
                                                    "\\",
                                                    "<script>",
                                                    "</script",
                                                    "-->",
                                                    "<!--",
                                                    "]]>",
                                                    "<![CDATA[",
                                                    "&amp;",
                                                    "&#0;",
                                                    "&",
                                                    "</style>",
                                                    "<b",
                                                    ">",
                                                    "\x01",
                                                    "\x1b[31m",
                                                    "\x7f",
                                                    "\u0085",
                                                    "\u061C",
                                                    "\u200B",
                                                    "\u200F",
                                                    "\u2028",
                                                    "\u202E",
                                                    "\u2066",
                                                    "\uFEFF",
                                                    "\uFFFF",
                                                    "\U000E0041",
                                                    "题",
                                                    "小红买10本书",
                                                    "𠮷",
                                                    "e\u0301",
                                                    " ",
                                                    "\u3000"};
  std::string text;
  for (auto rest = random() % 13; rest > 0; --rest) text += pieces.at(random() % pieces.size());
  return text;
}

}  // namespace qdedup::review
