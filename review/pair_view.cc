#include "review/pair_view.h"

#include <algorithm>
#include <string>
#include <vector>

#include "refine/alignment.h"
#include "refine/parts.h"
#include "refine/unicode.h"
#include "review/percentage.h"

namespace qdedup::review {

namespace {

// One side's share of an alignment.
struct Stretch {
  bool same;
  bool counts;        // a difference that the duplicate test sees, not one of spelling or punctuation
  std::size_t begin;  // in the whole text
  std::u32string_view text;
};

using Stretches = std::vector<Stretch>;

// Both texts of the pair, marked against each other; no stretches where there is no text.
struct MarkedTexts {
  Stretches keep;
  Stretches deleted;
};

Stretches whole(std::u32string_view text) {
  if (text.empty()) return {};
  return {{true, false, 0, text}};
}

refine::Parts parts_of(std::u32string_view text) { return refine::parts_of(refine::to_utf8(text)); }

MarkedTexts marked(std::u32string_view keep, std::u32string_view deleted) {
  if (keep.empty()) return {{}, whole(deleted)};
  if (deleted.empty()) return {whole(keep), {}};
  MarkedTexts texts;
  for (const auto& stretch : refine::align(keep, deleted)) {
    const auto keep_part = keep.substr(stretch.a_begin, stretch.a_end - stretch.a_begin);
    const auto deleted_part = deleted.substr(stretch.b_begin, stretch.b_end - stretch.b_begin);
    const bool counts = !stretch.same && parts_of(keep_part) != parts_of(deleted_part);
    texts.keep.push_back({stretch.same, counts, stretch.a_begin, keep_part});
    texts.deleted.push_back({stretch.same, counts, stretch.b_begin, deleted_part});
  }
  return texts;
}

// Line feeds that differ get a sign, because nobody sees them otherwise.
void append_difference(Html& html, std::u32string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find(U'\n'));
    html.text(line);
    text.remove_prefix(line.size());
    if (text.empty()) return;
    html.markup("<span class=\"newline\">\n</span>");
    text.remove_prefix(1);
  }
}

// What is different about the two sides.
struct Side {
  Markup open;
  Markup open_difference;
  Markup open_faint_difference;
  Markup close_difference;
  refine::CodePointRange refine::Finding::*range = nullptr;  // of a finding in this side's text
};

constexpr Side keep_side{R"(<section class="keep"><h4>Keep <b>)", "<ins>", R"(<ins class="faint">)", "</ins>",
                         &refine::Finding::keeper};
constexpr Side delete_side{R"(<section class="delete"><h4>Delete <b>)", "<del>", R"(<del class="faint">)",
                           "</del>", &refine::Finding::question};

bool touches(const refine::CodePointRange& range, const Stretch& stretch) {
  const std::size_t end = stretch.begin + stretch.text.size();
  return range.begin < end && (range.end > stretch.begin || range.begin == stretch.begin);
}

// Why the pair is doubtful, behind the characters that make it so; each reason once.
void append_doubts(Html& html, const Stretch& stretch, const Side& side,
                   std::vector<refine::Finding>& doubts) {
  const auto here = std::stable_partition(doubts.begin(), doubts.end(), [&](const refine::Finding& doubt) {
    return !touches(doubt.*side.range, stretch);
  });
  std::for_each(here, doubts.end(), [&](const refine::Finding& doubt) {
    html.markup(R"(<small class="why">)").text(doubt.kind).markup("</small>");
  });
  doubts.erase(here, doubts.end());
}

void append_text(Html& html, const Stretches& stretches, const Side& side,
                 std::vector<refine::Finding> doubts) {
  if (stretches.empty()) {
    html.markup(R"(<p class="gone">No text: this question is empty, or left the bank.</p>)");
    return;
  }
  html.markup(R"(<p class="text" lang="zh" dir="auto">)");
  for (const auto& stretch : stretches) {
    if (stretch.text.empty()) continue;
    if (stretch.same) {
      html.text(stretch.text);
    } else {
      html.markup(stretch.counts ? side.open_difference : side.open_faint_difference);
      append_difference(html, stretch.text);
      html.markup(side.close_difference);
      append_doubts(html, stretch, side, doubts);
    }
  }
  html.markup("</p>");
}

void append_side(Html& html, QuestionId id, const Stretches& stretches, const Side& side,
                 const std::optional<std::string>& answer, const refine::Contrast& contrast) {
  html.markup(side.open).digits(id).markup("</b></h4>");
  append_text(html, stretches, side, contrast.reasons);
  if (answer) {
    html.markup(R"(<p class="answer">Answer: <span lang="zh" dir="auto">)");
    html.text(*answer).markup("</span></p>");
  }
  html.markup("</section>");
}

void append_sides(Html& html, const DeletionEntry& entry) {
  const auto keep = refine::to_utf32(entry.keep_text);
  const auto deleted = refine::to_utf32(entry.delete_text);
  const auto texts = marked(keep, deleted);
  html.markup(R"(<div class="sides">)");
  append_side(html, entry.keep_id, texts.keep, keep_side, entry.keep_answer, entry.contrast);
  append_side(html, entry.delete_id, texts.deleted, delete_side, entry.delete_answer, entry.contrast);
  html.markup("</div>\n");
}

void append_likeness(Html& html, const DeletionEntry& entry) {
  const auto common = entry.length - std::min(entry.distance, entry.length);
  html.markup(R"(<p class="likeness"><b>)").percent(hundredths_of_percent(common, entry.length));
  html.markup(" %</b> similar, distance ").count(entry.distance);
  html.markup(" of ").count(entry.length).markup("</p>");
}

void append_reasons(Html& html, std::string_view reasons) {
  while (!reasons.empty()) {
    const auto reason = reasons.substr(0, reasons.find(';'));
    if (!reason.empty()) html.markup("<li>").text(reason).markup("</li>");
    reasons.remove_prefix(std::min(reasons.size(), reason.size() + 1));
  }
}

void append_tags(Html& html, const DeletionEntry& entry) {
  html.markup(R"(<ul class="tags">)");
  if (!entry.confidence.empty()) {
    html.markup(R"(<li class="confidence">)").text(entry.confidence).markup("</li>");
  }
  append_reasons(html, entry.reasons);
  if (!entry.delete_text.empty() && entry.delete_text == entry.keep_text) html.markup("<li>same text</li>");
  html.markup("</ul>");
}

// The class that the stylesheet and the filter of the report go by.
Markup pair_class(const DeletionEntry& entry) {
  if (entry.confidence == "safe") return Markup("pair safe");
  if (entry.confidence == "doubtful") return Markup("pair doubtful");
  return Markup("pair");
}

}  // namespace

void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry) {
  html.markup(R"(<article class=")").markup(pair_class(entry)).markup(R"(" id="q)").digits(entry.delete_id);
  html.markup(R"("><header><h3><a href="#q)").digits(entry.delete_id).markup("\">Pair ").count(number);
  html.markup("</a></h3>");
  append_likeness(html, entry);
  append_tags(html, entry);
  html.markup(R"(<p class="status">)").text(entry.status).markup("</p></header>\n");
  append_sides(html, entry);
  if (!entry.note.empty()) {
    html.markup(R"(<p class="note"><b>Note</b> <span dir="auto">)").text(entry.note).markup("</span></p>");
  }
  html.markup("</article>\n");
}

}  // namespace qdedup::review
