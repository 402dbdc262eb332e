#include "review/html_report.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "refine/pair_marks.h"
#include "review/export.h"
#include "review/question_view.h"
#include "web/report_style.h"

namespace qdedup::review {

namespace {

void append_sides(Html& html, const DeletionEntry& entry, bool draws) {
  const refine::PairMarks marks = refine::mark_pair(entry.question.text, entry.keeper.text);
  html.markup(R"(<div class="sides">)");
  append_question(html, entry.keeper, marks.keeper, keep_side, entry.contrast, draws);
  append_question(html, entry.question, marks.question, delete_side, entry.contrast, draws);
  html.markup("</div>\n");
}

void append_likeness(Html& html, const DeletionEntry& entry) {
  const auto common = entry.row.length - std::min(entry.row.distance, entry.row.length);
  html.markup(R"(<p class="likeness"><b>)").percent(hundredths_of_percent(common, entry.row.length));
  html.markup(" %</b> similar");
  if (!entry.row.by_sets)
    html.markup(", distance ").count(entry.row.distance).markup(" of ").count(entry.row.length);
  html.markup("</p>");
}

void append_tags(Html& html, const DeletionEntry& entry) {
  html.markup(R"(<ul class="tags">)");
  html.markup(R"(<li class="confidence">)").text(name(entry.row.confidence)).markup("</li>");
  const auto hundredths_of_percent = static_cast<std::uint64_t>(entry.row.risk.ten_thousandths());
  html.markup(R"(<li class="risk">risk )").percent(hundredths_of_percent).markup(" %</li>");
  for (const std::string_view reason : entry.row.reasons.all()) {
    html.markup("<li>").text(reason).markup("</li>");
  }
  if (!entry.question.text.empty() && entry.question.text == entry.keeper.text)
    html.markup("<li>same text</li>");
  html.markup("</ul>");
}

// The class that the stylesheet and the filter of the report go by.
Markup pair_class(const DeletionEntry& entry) {
  return entry.row.confidence == refine::Confidence::safe ? Markup("pair safe") : Markup("pair doubtful");
}

// "2026-11-20T03:00:12Z" as "2026-11-20 03:00:12 UTC"; any other form stays as it is.
std::string readable_time(std::string time) {
  constexpr std::string_view form = "2026-11-20T03:00:12Z";
  if (time.size() != form.size() || time[10] != 'T' || time.back() != 'Z') return time;
  time[10] = ' ';
  time.replace(time.size() - 1, 1, " UTC");
  return time;
}

void append_head(Html& html, const ReportHeader& header) {
  html.markup(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)");
  html.markup(R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ')");
  html.markup(web::report_style_hash).markup("'; base-uri 'none'; form-action 'none'\">\n");
  html.markup("<style>").markup(web::report_style).markup("</style>\n");
  html.markup("<title>Deletion list of iteration ").digits(header.iteration.id).markup("</title>\n</head>\n");
}

void append_title(Html& html, const ReportHeader& header) {
  html.markup(R"(<header class="title"><div><h1>Deletion list of iteration )").digits(header.iteration.id);
  html.markup("</h1>\n<p>Finished ").text(readable_time(header.iteration.finished_at));
  html.markup(R"(</p></div>
<nav aria-label="Sections"><a href="#steps">Steps</a> <a href="#similarity">Similarity</a>
<a href="#clusters">Clusters</a> <a href="#settings">Settings</a> <a href="#pairs">Pairs</a></nav></header>
)");
}

void append_reading_guide(Html& html, const ReportHeader& header) {
  html.markup(R"(<details class="guide"><summary>How to read a pair</summary>
<p>The question on the left stays; the one on the right is deleted. Every character in which the two texts
differ is marked, punctuation and spaces included.</p>
)");
  if (has_usual_rule(header)) {
    html.markup(
        R"(<p>Similarity looks only at the Chinese characters: distance is the number of characters to change, and it is
compared with the length of the longer text. Numbers, letters and signs have been found equal already, in the
same order.</p>
)");
  } else {
    html.markup("<p>What was compared, and how, is in the settings above.</p>\n");
  }
  html.markup(
      R"(<p>Characters that cannot be seen are written out, such as <span class="mark">U+200B</span>, and a line break
that only one text has is shown as ↵.</p></details>
)");
}

// Works by style alone, on the classes of the pairs.
void append_toolbar(Html& html) {
  html.markup(R"(<div class="toolbar"><fieldset class="filter"><legend>Show</legend>
<label><input type="radio" name="show" id="show-all" checked> all</label>
<label><input type="radio" name="show" id="show-doubtful"> doubtful</label>
<label><input type="radio" name="show" id="show-safe"> safe</label></fieldset>
<p class="legend"><ins>only in the text that stays</ins> <del>only in the text that goes</del> <ins class="faint">a difference that does not count</ins></p></div>
)");
}

void append_extent(Html& html, std::uint64_t shown, std::uint64_t entries) {
  html.markup(R"(<p class="extent">)");
  if (entries == 0) {
    html.markup("The list is empty: there is nothing to delete.");
  } else if (shown == entries) {
    html.markup("All ").count(entries).markup(" pairs, by the id of the question to delete.");
  } else {
    html.markup("The first ").count(shown).markup(" of ").count(entries);
    html.markup(" pairs, by the id of the question to delete; <strong>").count(entries - shown);
    html.markup(" are left out</strong> here. The list as CSV has them all.");
  }
  html.markup("</p>\n");
}

Status write_pairs(const DeletionStream& entries, std::uint64_t shown, bool draws, std::ostream& out) {
  DeletionEntry entry;
  for (std::uint64_t number = 1; number <= shown; ++number) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, entries(entry));
    if (!more) return {};
    Html html;
    append_pair(html, number, entry, draws);
    QDEDUP_TRY(write_bytes(out, html.view()));
  }
  return {};
}

Html before_pairs(const ReportHeader& header, const ListSummary& summary, std::uint64_t shown) {
  Html html;
  append_head(html, header);
  html.markup("<body>\n");
  append_title(html, header);
  html.markup("<main>\n");
  append_overview(html, header, summary);
  html.markup(R"(<section id="pairs"><h2>Pairs</h2>)");
  append_extent(html, shown, summary.entries);
  if (shown > 0) {
    append_reading_guide(html, header);
    append_toolbar(html);
  }
  return html;
}

Html after_pairs(const ReportHeader& header) {
  Html html;
  html.markup("</section>\n</main>\n<footer><p>Written by qdedup ").text(header.iteration.version);
  html.markup("</p></footer>\n</body>\n</html>\n");
  return html;
}

}  // namespace

void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry, bool draws) {
  html.markup(R"(<article class=")").markup(pair_class(entry)).markup(R"(" id="q)").digits(entry.question.id);
  html.markup(R"("><header><h3><a href="#q)").digits(entry.question.id).markup("\">Pair ").count(number);
  html.markup("</a></h3>");
  append_likeness(html, entry);
  append_tags(html, entry);
  html.markup(R"(<p class="status">)").text(name(entry.row.status)).markup("</p></header>\n");
  append_sides(html, entry, draws);
  if (!entry.row.note.empty()) {
    html.markup(R"(<p class="note"><b>Note</b> <span dir="auto">)")
        .text(entry.row.note)
        .markup("</span></p>");
  }
  html.markup("</article>\n");
}

Status write_html_report(const ReportHeader& header, const std::function<DeletionStream()>& restart,
                         std::uint64_t max_pairs, std::ostream& out) {
  QDEDUP_ASSIGN_OR_RETURN(auto summary, summarise(restart()));
  const auto shown = std::min(max_pairs, summary.entries);
  QDEDUP_TRY(write_bytes(out, before_pairs(header, summary, shown).view()));
  QDEDUP_TRY(write_pairs(restart(), shown, header.draws, out));
  QDEDUP_TRY(write_bytes(out, after_pairs(header).view()));
  return flush(out);
}

}  // namespace qdedup::review
