// Extracting text from questions, in the markup that apps keep them in. Rates are bytes of the original.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/sample.h"
#include "markup/extract.h"

namespace qdedup::bench {
namespace {

void each_text(benchmark::State& state, const std::vector<std::string>& texts,
               const markup::Options& options) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  for (auto _ : state) {
    for (const std::string& text : texts) benchmark::DoNotOptimize(markup::extract(text, options));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

// A question as an editor leaves it: a paragraph and a span with a style for each sentence.
std::string as_html(std::string_view text) {
  constexpr std::string_view span = "<span style=\"font-family:宋体;font-size:14px;color:#333333\">";
  constexpr std::string_view comma = "，";
  std::string html = "<p style=\"margin:0;text-indent:2em\">";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(comma), text.size());
    html.append(span).append(text.substr(0, end)).append("</span>");
    text.remove_prefix(std::min(end + comma.size(), text.size()));
    if (!text.empty()) html.append(comma).append("&nbsp;x<sup>2</sup><br/>");
  }
  return html.append("</p>\n<!-- end -->");
}

// A question as the pages of large sites have it: formulas as tables and LaTeX, references, a picture.
std::string as_page(std::string_view text) {
  constexpr std::string_view comma = "，";
  constexpr std::string_view fraction =
      R"(<span class="MathJye" mathtag="math" style="whiteSpace:nowrap;wordSpacing:normal;wordWrap:normal">)"
      R"(<table cellpadding="-1" cellspacing="-1" style="margin-right:1px"><tr><td style="border-bottom:1px )"
      R"(solid black;padding-bottom:1px;font-size:90%">3</td></tr><tr><td style="padding-top:1px;font-size:90%">)"
      R"(4</td></tr></table></span>)";
  constexpr std::string_view formulas = R"(<i>x</i><sup>2</sup>&minus;&nbsp;3&lt;\(\frac{a}{2}\)&ldquo;)";
  std::string html = "<!--B1--><div class=\"pt1\"><!--B2--><p>";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(comma), text.size());
    html.append("<span>").append(text.substr(0, end)).append("</span>").append(fraction).append(formulas);
    text.remove_prefix(std::min(end + comma.size(), text.size()));
    if (!text.empty()) html.append("&#65292;<br/>");
  }
  return html.append(
      R"(<img src="http://img.site.com/quiz/images/2019/3f2a.png" style="float:right"/></p></div>)");
}

std::string as_latex(std::string_view text) {
  return std::string(text) + R"($\frac{1}{2}\times\left(x^{2}+\sqrt{3}\right)\leqslant\angle ABC$)";
}

template <class Make>
std::vector<std::string> made(const Make& make) {
  std::vector<std::string> texts;
  for (const std::string& text : sample_texts()) texts.push_back(make(text));
  return texts;
}

constexpr markup::Options automatic{.markup = markup::Reading::automatic};

void html(benchmark::State& state) { each_text(state, made(as_html), automatic); }
BENCHMARK(html)->Unit(benchmark::kMillisecond);

void page_with_formulas(benchmark::State& state) { each_text(state, made(as_page), automatic); }
BENCHMARK(page_with_formulas)->Unit(benchmark::kMillisecond);

void latex(benchmark::State& state) { each_text(state, made(as_latex), automatic); }
BENCHMARK(latex)->Unit(benchmark::kMillisecond);

void text_without_markup(benchmark::State& state) { each_text(state, sample_texts(), automatic); }
BENCHMARK(text_without_markup)->Unit(benchmark::kMillisecond);

void numbering(benchmark::State& state) {
  each_text(state, sample_texts(), {.numbering = markup::Numbering::drop});
}
BENCHMARK(numbering)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace qdedup::bench

BENCHMARK_MAIN();
