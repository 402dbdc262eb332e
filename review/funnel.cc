#include "review/funnel.h"

#include <algorithm>
#include <cstdint>

#include "review/chart.h"

namespace qdedup::review {

namespace {

using Counts = std::span<const ReportHeader::Count>;

// The counts at the front that belong to one step.
Counts first_step(Counts counts) {
  const auto other = [&](const auto& count) { return count.step != counts.front().step; };
  return counts.first(static_cast<std::size_t>(std::ranges::find_if(counts, other) - counts.begin()));
}

void append_row(Html& html, const ReportHeader::Count& count, std::uint64_t greatest) {
  html.markup(R"(<th scope="row">)").text(count.name);
  html.markup(R"(</th><td class="number">)").count(count.value).markup(R"(</td><td class="length">)");
  append_bar(html, count.value, greatest);
  html.markup("</td></tr>\n");
}

void append_step(Html& html, Counts step, std::uint64_t greatest) {
  html.markup(R"(<tbody><tr><th class="step" scope="rowgroup" rowspan=")")
      .digits(static_cast<std::int64_t>(step.size()))
      .markup(R"(">)");
  html.text(step.front().step).markup("</th>");
  append_row(html, step.front(), greatest);
  for (const auto& count : step.subspan(1)) {
    html.markup("<tr>");
    append_row(html, count, greatest);
  }
  html.markup("</tbody>\n");
}

}  // namespace

void append_funnel(Html& html, Counts counts) {
  std::uint64_t greatest = 0;
  for (const auto& count : counts) greatest = std::max(greatest, count.value);
  html.markup(R"(<table class="chart funnel"><caption>From log lines to deletions</caption>
<thead><tr><th scope="col">Step</th><th scope="col">Count of</th><th scope="col">Number</th><td></td></tr>
</thead>
)");
  while (!counts.empty()) {
    const auto step = first_step(counts);
    append_step(html, step, greatest);
    counts = counts.subspan(step.size());
  }
  html.markup("</table>\n");
}

}  // namespace qdedup::review
