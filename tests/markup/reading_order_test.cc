#include <array>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "markup/extract.h"
#include "tests/markup/texts.h"
#include "tests/reference/page_reading.h"

namespace qdedup::markup {
namespace {

std::string words_of_text(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

// Makes pages as people write them: nested, with some end tags left out.
class PageMaker {
 public:
  explicit PageMaker(unsigned seed) : random_(seed) {}

  std::string page() { return "<div>" + blocks(4) + "</div>"; }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool perhaps() { return below(2) == 0; }

  std::string text() {
    constexpr std::array texts = {"a",       "甲乙",    "b c",  "&lt;",     "&amp;",
                                  "&nbsp;x", "&times;", "d\ne", "&#20013;", "z"};
    return texts[below(texts.size())];
  }

  std::string inlines(unsigned depth) {
    std::string result;
    for (unsigned i = below(4); i > 0; --i) result += inline_piece(depth);
    return result;
  }

  std::string inline_piece(unsigned depth) {
    if (depth == 0) return text();
    switch (below(10)) {
      case 0:
        return "<b>" + inlines(depth - 1) + "</b>";
      case 1:
        return "<SPAN class='x'>" + inlines(depth - 1) + "</span>";
      case 2:
        return "<sup>" + inlines(depth - 1) + "</sup>";
      case 3:
        return "<sub >" + inlines(depth - 1) + "</sub>";
      case 4:
        return "<span style='display:none'>" + inlines(depth - 1) + "</span>";
      case 5:
        return "<i aria-hidden=true>" + text() + "</i>";
      case 6:
        return perhaps() ? "<br>" : "<br />";
      case 7:
        return perhaps() ? "<!-- <b>c -->" : "<script>if (a<b) {}</script>";
      default:
        return text();
    }
  }

  std::string blocks(unsigned depth) {
    std::string result;
    for (unsigned i = 1 + below(3); i > 0; --i) result += block(depth);
    return result;
  }

  std::string block(unsigned depth) {
    if (depth == 0) return inlines(2);
    switch (below(6)) {
      case 0:
        return "<p>" + inlines(3) + (perhaps() ? "</p>" : "");
      case 1:
        return "<div>" + blocks(depth - 1) + "</div>";
      case 2:
        return "<ul>" + list(depth - 1) + "</ul>";
      case 3:
        return table(depth - 1);
      case 4:
        return "<h1>" + inlines(2) + "</h1>";
      default:
        return inlines(3);
    }
  }

  std::string list(unsigned depth) {
    std::string result;
    for (unsigned i = 1 + below(3); i > 0; --i) result += "<li>" + blocks(depth) + (perhaps() ? "</li>" : "");
    return result;
  }

  std::string table(unsigned depth) {
    std::string result = "<table>";
    for (unsigned rows = 1 + below(3); rows > 0; --rows) {
      result += "<tr>";
      for (unsigned cells = 1 + below(3); cells > 0; --cells)
        result += "<td>" + blocks(depth) + (perhaps() ? "</td>" : "");
      if (perhaps()) result += "</tr>";
    }
    return result + "</table>";
  }

  std::mt19937 random_;
};

class ReadingOrder : public testing::TestWithParam<unsigned> {};

TEST_P(ReadingOrder, IsThatOfATree) {
  for (unsigned i = 0; i < 300; ++i) {
    const std::string page = PageMaker(GetParam() * 1000 + i).page();
    EXPECT_EQ(words_of_text(text_of(page)), reference::read_page(page)) << page;
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReadingOrder, testing::Range(0U, 10U));

}  // namespace
}  // namespace qdedup::markup
