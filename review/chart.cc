#include "review/chart.h"

#include <algorithm>

#include "review/percentage.h"

namespace qdedup::review {

void append_bar(Html& html, std::uint64_t value, std::uint64_t greatest) {
  if (value == 0) return;
  const auto width = std::max<std::uint64_t>(1, hundredths_of_percent(value, greatest));
  html.markup(R"(<svg class="bar" aria-hidden="true"><rect width=")").percent(width).markup(R"(%"/></svg>)");
}

void append_chart(Html& html, Markup caption, Markup label_heading, Markup count_heading,
                  std::span<const HistogramBar> bars) {
  std::uint64_t greatest = 0;
  for (const auto& bar : bars) greatest = std::max(greatest, bar.count);
  html.markup(R"(<table class="chart"><caption>)").markup(caption).markup("</caption>\n");
  html.markup(R"(<thead><tr><th scope="col">)").markup(label_heading);
  html.markup(R"(</th><th scope="col">)")
      .markup(count_heading)
      .markup("</th><td></td></tr></thead>\n<tbody>\n");
  for (const auto& bar : bars) {
    html.markup(R"(<tr><th scope="row">)").text(bar.label);
    html.markup(R"(</th><td class="number">)").count(bar.count).markup(R"(</td><td class="length">)");
    append_bar(html, bar.count, greatest);
    html.markup("</td></tr>\n");
  }
  html.markup("</tbody></table>\n");
}

}  // namespace qdedup::review
