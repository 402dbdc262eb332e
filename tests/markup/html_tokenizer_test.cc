#include "markup/html_tokenizer.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/ascii.h"

namespace qdedup::markup {
namespace {

using Json = nlohmann::json;

// The tokens as html5lib writes them, texts joined.
Json tokens_of(HtmlTokenizer tokenizer) {
  Json tokens = Json::array();
  HtmlToken token;
  while (tokenizer.next(token)) {
    switch (token.kind) {
      case HtmlToken::Kind::text: {
        std::string text;
        if (token.has_references) {
          append_decoded(text, token.text);
        } else {
          text = token.text;
        }
        if (text.empty()) break;
        const bool joins = !tokens.empty() && tokens.back()[0] == "Character";
        if (joins) text.insert(0, tokens.back()[1].get<std::string>());
        if (joins) tokens.erase(tokens.size() - 1);
        tokens.push_back({"Character", text});
        break;
      }
      case HtmlToken::Kind::comment:
        tokens.push_back({"Comment", token.text});
        break;
      case HtmlToken::Kind::end_tag:
        tokens.push_back({"EndTag", in_lower_case(token.text)});
        break;
      case HtmlToken::Kind::start_tag: {
        Json attributes = Json::object();
        for (const HtmlAttribute& attribute : token.attributes) {
          const std::string name = in_lower_case(attribute.name);
          if (!attributes.contains(name)) attributes[name] = decoded(attribute.value);
        }
        tokens.push_back({"StartTag", in_lower_case(token.text), attributes});
        if (token.self_closing) tokens.back().push_back(true);
        break;
      }
      case HtmlToken::Kind::doctype:
        tokens.push_back({"DOCTYPE"});
        break;
    }
  }
  return tokens;
}

Json careful_tokens(std::string_view page) {
  return tokens_of(HtmlTokenizer(page, HtmlTokenizer::Reading::caution));
}

// A page's line breaks are \n before it is cut into tokens.
std::string normal_breaks(std::string text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    result += text[i] == '\r' ? '\n' : text[i];
  }
  return result;
}

// The tests of html5lib, but for those of what a question cannot hold or nobody reads: NUL, doctypes,
// surrogates, scripts and CDATA.
bool matters(const Json& test) {
  const std::string all = test.dump();
  return !test.value("doubleEscaped", false) && all.find("\\u0000") == std::string::npos &&
         all.find("DOCTYPE") == std::string::npos && all.find("CDATA[") == std::string::npos;
}

struct Counts {
  int run = 0;
  int skipped = 0;
};

void run_in_state(const Json& test, const std::string& state, Counts& counts) {
  const std::map<std::string, bool> raw_states = {
      {"RCDATA state", true}, {"RAWTEXT state", false}, {"PLAINTEXT state", false}};
  if (state != "Data state" && !raw_states.contains(state)) {
    ++counts.skipped;
    return;
  }
  const std::string page = normal_breaks(test.at("input").get<std::string>());
  HtmlTokenizer tokenizer(page, HtmlTokenizer::Reading::standard);
  if (state == "PLAINTEXT state")
    tokenizer.read_raw("no end tag", false);
  else if (state != "Data state")
    tokenizer.read_raw(test.value("lastStartTag", "no end tag"), raw_states.at(state));
  EXPECT_EQ(tokens_of(std::move(tokenizer)), test.at("output")) << test.at("description") << "\n"
                                                                << page << "\n"
                                                                << state;
  ++counts.run;
}

TEST(HtmlTokenizer, AgreesWithTheTestsOfHtml5lib) {
  Counts counts;
  for (const auto& entry : std::filesystem::directory_iterator(QDEDUP_SOURCE_DIR "/tests/markup/html5lib")) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream file(entry.path());
    const Json tests = Json::parse(file);
    for (const Json& test : tests.at("tests")) {
      if (!matters(test)) {
        ++counts.skipped;
        continue;
      }
      const auto states = test.value("initialStates", std::vector<std::string>{"Data state"});
      for (const std::string& state : states) {
        run_in_state(test, state, counts);
      }
    }
  }
  EXPECT_GT(counts.run, 900);
  EXPECT_LT(counts.skipped, 1000);
}

TEST(HtmlTokenizer, TakesOnlyWhatLooksMeantForATag) {
  for (const std::string text :
       {"若a<b且c>d", "若a<b 且 c>d", "a<b and c>d", "x<y>z", "<AB>", "1<2", "a</b", "<p q r>",
        "<b title=\"x", "<!--", "<!x>", "<?", "a<b<c$\nB. $a>b", "<style>a", "若 m<n, p>q"}) {
    const Json tokens = careful_tokens(text);
    const bool is_style = text == "<style>a";
    EXPECT_EQ(tokens.size(), is_style ? 2U : 1U) << text << tokens;
  }
}

TEST(HtmlTokenizer, KnowsTagsThatAreMeant) {
  EXPECT_EQ(careful_tokens("<b>x</b>").size(), 3U);
  EXPECT_EQ(careful_tokens("<p>x<p>y").size(), 4U);
  EXPECT_EQ(careful_tokens("<br>").size(), 1U);
  EXPECT_EQ(careful_tokens("<br/>").size(), 1U);
  EXPECT_EQ(careful_tokens("<input disabled>").size(), 1U);
  EXPECT_EQ(careful_tokens("<bdo dir=ltr>x").size(), 2U);
  EXPECT_EQ(careful_tokens("<foo>x</foo>").size(), 3U);
  EXPECT_EQ(careful_tokens("<foo a=1>x").size(), 2U);
  EXPECT_EQ(careful_tokens("a<!-- b -->c").size(), 3U);
}

TEST(HtmlTokenizer, AQuoteThatIsNotClosedCostsItsTagAlone) {
  EXPECT_EQ(careful_tokens("<p style='color:red>x</p><p>y<sup>2</sup><img src=\"b.png\">").size(), 8U);
  EXPECT_EQ(careful_tokens("<b title=\"x>y</b><i title='z'>").size(), 3U);
  EXPECT_EQ(careful_tokens("<b a=\"<i c='x'>\" d='").size(), 3U);
  EXPECT_EQ(careful_tokens("<b title=\"<i>x</i>\" <u>y</u>").size(), 8U);
}

TEST(HtmlTokenizer, DecodesReferencesOnce) {
  std::string text;
  append_decoded(text, "&lt;&amp;lt;&nbsp;&#x4E2D;&#20013;&notin;&notit;&bogus;&#0;&#x110000;&");
  EXPECT_EQ(text, "<&lt;\u00A0中中∉¬it;&bogus;\uFFFD\uFFFD&");
  EXPECT_EQ(decoded("?a=1&copy=2&lt;"), "?a=1&copy=2<");
}

}  // namespace
}  // namespace qdedup::markup
