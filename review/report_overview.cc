#include "review/report_overview.h"

#include <algorithm>
#include <set>
#include <span>

namespace qdedup::review {
namespace {

bool is_filled(const HistogramBar& bar) { return bar.count > 0; }

void drop_empty_front(std::vector<HistogramBar>& bars) {
  bars.erase(bars.begin(), std::ranges::find_if(bars, is_filled));
}

void drop_empty_back(std::vector<HistogramBar>& bars) {
  bars.erase(std::find_if(bars.rbegin(), bars.rend(), is_filled).base(), bars.end());
}

// The rest of a row: name, number, and a bar whose length is the number relative to `max`.
void append_row(Html& html, const std::string& name, std::uint64_t count, std::uint64_t max) {
  html.markup(R"(<th scope="row">)").text(name);
  html.markup(R"(</th><td class="number">)").count(count).markup(R"(</td><td class="length">)");
  if (count > 0) {
    const auto width = std::max<std::uint64_t>(1, hundredths_of_percent(count, max));
    html.markup(R"(<svg class="bar" aria-hidden="true"><rect width=")").percent(width);
    html.markup(R"(%"/></svg>)");
  }
  html.markup("</td></tr>\n");
}

void append_chart(Html& html, Markup caption, Markup label_heading, Markup count_heading,
                  std::span<const HistogramBar> bars) {
  std::uint64_t max = 0;
  for (const auto& bar : bars) max = std::max(max, bar.count);
  html.markup(R"(<table class="chart"><caption>)").markup(caption).markup("</caption>\n");
  html.markup(R"(<thead><tr><th scope="col">)").markup(label_heading);
  html.markup(R"(</th><th scope="col">)")
      .markup(count_heading)
      .markup("</th><td></td></tr></thead>\n<tbody>\n");
  for (const auto& bar : bars) {
    html.markup("<tr>");
    append_row(html, bar.label, bar.count, max);
  }
  html.markup("</tbody></table>\n");
}

using Counts = std::span<const ReportHeader::Count>;

// The leading counts that belong to the same step.
Counts first_step(Counts counts) {
  const auto other = [&](const auto& count) { return count.step != counts.front().step; };
  return counts.first(static_cast<std::size_t>(std::ranges::find_if(counts, other) - counts.begin()));
}

void append_step(Html& html, Counts step, std::uint64_t max) {
  html.markup(R"(<tbody><tr><th class="step" scope="rowgroup" rowspan=")")
      .digits(static_cast<std::int64_t>(step.size()))
      .markup(R"(">)");
  html.text(step.front().step).markup("</th>");
  append_row(html, step.front().name, step.front().value, max);
  for (const auto& count : step.subspan(1)) {
    html.markup("<tr>");
    append_row(html, count.name, count.value, max);
  }
  html.markup("</tbody>\n");
}

void append_funnel(Html& html, Counts counts) {
  std::uint64_t max = 0;
  for (const auto& count : counts) max = std::max(max, count.value);
  html.markup(R"(<table class="chart funnel"><caption>From log lines to deletions</caption>
<thead><tr><th scope="col">Step</th><th scope="col">Count of</th><th scope="col">Number</th><td></td></tr>
</thead>
)");
  while (!counts.empty()) {
    const auto step = first_step(counts);
    append_step(html, step, max);
    counts = counts.subspan(step.size());
  }
  html.markup("</table>\n");
}

void append_tile(Html& html, Markup name, std::uint64_t count) {
  html.markup("<div><dt>").markup(name).markup("</dt><dd>").count(count).markup("</dd></div>\n");
}

void append_share_tile(Html& html, Markup name, std::uint64_t count, std::uint64_t whole) {
  html.markup("<div><dt>").markup(name).markup("</dt><dd>").count(count).markup(" <small>");
  html.percent(whole == 0 ? 0 : hundredths_of_percent(count, whole)).markup(" %</small></dd></div>\n");
}

void append_tiles(Html& html, const ListSummary& summary) {
  html.markup(R"(<dl class="tiles">)");
  append_tile(html, "Deletions", summary.entries);
  append_share_tile(html, "Safe", summary.with_confidence(refine::Confidence::safe), summary.entries);
  append_share_tile(html, "Doubtful", summary.with_confidence(refine::Confidence::doubtful), summary.entries);
  append_share_tile(html, "Pending", summary.with_status(db::DeletionStatus::pending), summary.entries);
  html.markup("</dl>\n");
}

std::set<db::DeletionStatus> statuses_of(const ListSummary& summary) {
  std::set<db::DeletionStatus> statuses;
  for (const auto& [confidence, counts] : summary.statuses) {
    for (const auto& [status, count] : counts) statuses.insert(status);
  }
  return statuses;
}

void append_count_cell(Html& html, std::uint64_t count) {
  html.markup(R"(<td class="number">)").count(count).markup("</td>");
}

void append_sums(Html& html, const ListSummary& summary) {
  const auto statuses = statuses_of(summary);
  html.markup(R"(<table class="sums"><caption>Deletions by confidence and status</caption>
<thead><tr><th scope="col">Confidence</th>)");
  for (const auto status : statuses) html.markup(R"(<th scope="col">)").text(name(status)).markup("</th>");
  html.markup("<th scope=\"col\">all</th></tr></thead>\n<tbody>\n");
  for (const auto& [confidence, counts] : summary.statuses) {
    html.markup(R"(<tr><th scope="row">)").text(name(confidence)).markup("</th>");
    for (const auto status : statuses) {
      append_count_cell(html, counts.contains(status) ? counts.at(status) : 0);
    }
    append_count_cell(html, summary.with_confidence(confidence));
    html.markup("</tr>\n");
  }
  html.markup("</tbody>\n<tfoot><tr><th scope=\"row\">all</th>");
  for (const auto status : statuses) append_count_cell(html, summary.with_status(status));
  append_count_cell(html, summary.entries);
  html.markup("</tr></tfoot></table>\n");
}

void append_settings(Html& html, const ReportHeader& header) {
  html.markup(R"(<table class="settings"><caption>What the iteration ran with</caption>
<thead><tr><th scope="col">Setting</th><th scope="col">Value</th></tr></thead>
<tbody>
)");
  for (const auto& [name, value] : header.settings) {
    html.markup(R"(<tr><th scope="row">)").text(name).markup("</th><td>").text(value).markup("</td></tr>\n");
  }
  html.markup("</tbody></table>\n");
}

void append_similarity(Html& html, const ReportHeader& header, const ListSummary& summary) {
  html.markup(R"(<section class="card" id="similarity"><h2>Similarity</h2>)");
  const auto bars = similarity_bars(summary.similarity);
  if (bars.empty()) {
    html.markup("<p>No deletions.</p>\n");
  } else if (has_usual_rule(header)) {
    append_chart(html, "Deletions by similarity, in whole percent; 100 is equal in all Chinese characters",
                 "Percent", "Deletions", bars);
  } else {
    append_chart(html, "Deletions by similarity, in whole percent; 100 is equal in all that is compared",
                 "Percent", "Deletions", bars);
  }
  html.markup("</section>\n");
}

void append_clusters(Html& html, const ReportHeader& header) {
  html.markup(R"(<section class="card" id="clusters"><h2>Clusters</h2>)");
  const auto bars = cluster_size_bars(header.iteration.cluster_sizes);
  if (bars.empty()) {
    html.markup("<p>No clusters.</p>\n");
  } else {
    append_chart(html, "Clusters by size, in questions", "Questions", "Clusters", bars);
  }
  html.markup("</section>\n");
}

}  // namespace

bool has_usual_rule(const ReportHeader& header) {
  using Setting = std::pair<std::string, std::string>;
  return std::ranges::none_of(header.settings, [](const Setting& setting) {
    const auto& [name, value] = setting;
    return (name == "signs" && value == "any") || (name == "compare" && value == "text") ||
           (name == "similarity" && (value == "jaccard" || value == "cosine"));
  });
}

std::vector<HistogramBar> similarity_bars(const std::array<std::uint64_t, 101>& counts) {
  std::vector<HistogramBar> bars;
  for (std::size_t percent = 0; percent < counts.size(); ++percent) {
    bars.push_back({std::to_string(percent), counts.at(percent)});
  }
  drop_empty_front(bars);
  return bars;
}

std::vector<HistogramBar> cluster_size_bars(const std::map<std::uint64_t, std::uint64_t>& sizes) {
  constexpr std::array<std::uint64_t, 10> last_sizes{1, 2, 3, 4, 9, 19, 49, 99, 199, UINT64_MAX};
  std::vector<HistogramBar> bars{{"1", 0},       {"2", 0},           {"3", 0},     {"4", 0},
                                 {"5–9", 0},     {"10–19", 0},       {"20–49", 0}, {"50–99", 0},
                                 {"100–199", 0}, {"200 and more", 0}};
  for (const auto& [size, clusters] : sizes) {
    const auto bin = std::ranges::lower_bound(last_sizes, size) - last_sizes.begin();
    bars[static_cast<std::size_t>(bin)].count += clusters;
  }
  drop_empty_front(bars);
  drop_empty_back(bars);
  return bars;
}

void append_overview(Html& html, const ReportHeader& header, const ListSummary& summary) {
  append_tiles(html, summary);
  html.markup(R"(<div class="columns"><div class="wide">)");
  html.markup(R"(<section class="card" id="steps"><h2>Steps</h2>)");
  append_funnel(html, header.counts);
  html.markup("</section>\n");
  append_similarity(html, header, summary);
  html.markup(R"(</div><div class="narrow">)");
  html.markup(R"(<section class="card" id="decisions"><h2>Decisions</h2>)");
  append_sums(html, summary);
  html.markup("</section>\n");
  append_clusters(html, header);
  html.markup(R"(<section class="card" id="settings"><h2>Settings</h2>)");
  append_settings(html, header);
  html.markup("</section>\n</div></div>\n");
}

}  // namespace qdedup::review
