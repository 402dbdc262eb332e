#include "review/report_overview.h"

#include <set>
#include <string>

#include "review/chart.h"
#include "review/funnel.h"
#include "review/histogram.h"
#include "review/percentage.h"

namespace qdedup::review {

namespace {

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
  append_share_tile(html, "Safe", summary.with_confidence("safe"), summary.entries);
  append_share_tile(html, "Doubtful", summary.with_confidence("doubtful"), summary.entries);
  append_share_tile(html, "Pending", summary.with_status("pending"), summary.entries);
  html.markup("</dl>\n");
}

std::set<std::string> statuses_of(const ListSummary& summary) {
  std::set<std::string> statuses;
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
  for (const auto& status : statuses) html.markup(R"(<th scope="col">)").text(status).markup("</th>");
  html.markup("<th scope=\"col\">all</th></tr></thead>\n<tbody>\n");
  for (const auto& [confidence, counts] : summary.statuses) {
    html.markup(R"(<tr><th scope="row">)").text(confidence).markup("</th>");
    for (const auto& status : statuses) {
      append_count_cell(html, counts.contains(status) ? counts.at(status) : 0);
    }
    append_count_cell(html, summary.with_confidence(confidence));
    html.markup("</tr>\n");
  }
  html.markup("</tbody>\n<tfoot><tr><th scope=\"row\">all</th>");
  for (const auto& status : statuses) append_count_cell(html, summary.with_status(status));
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

void append_similarity(Html& html, const ListSummary& summary) {
  html.markup(R"(<section class="card" id="similarity"><h2>Similarity</h2>)");
  const auto bars = similarity_bars(summary.similarity);
  if (bars.empty()) {
    html.markup("<p>No deletions.</p>\n");
  } else {
    append_chart(html, "Deletions by similarity, in whole percent; 100 is equal in all Chinese characters",
                 "Percent", "Deletions", bars);
  }
  html.markup("</section>\n");
}

void append_clusters(Html& html, const ReportHeader& header) {
  html.markup(R"(<section class="card" id="clusters"><h2>Clusters</h2>)");
  const auto bars = cluster_size_bars(header.cluster_sizes);
  if (bars.empty()) {
    html.markup("<p>No clusters.</p>\n");
  } else {
    append_chart(html, "Clusters by size, in questions", "Questions", "Clusters", bars);
  }
  html.markup("</section>\n");
}

}  // namespace

void append_overview(Html& html, const ReportHeader& header, const ListSummary& summary) {
  append_tiles(html, summary);
  html.markup(R"(<div class="columns"><div class="wide">)");
  html.markup(R"(<section class="card" id="steps"><h2>Steps</h2>)");
  append_funnel(html, header.counts);
  html.markup("</section>\n");
  append_similarity(html, summary);
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
