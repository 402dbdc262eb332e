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
