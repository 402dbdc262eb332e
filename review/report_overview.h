#pragma once

#include "review/html.h"
#include "review/html_report.h"
#include "review/list_summary.h"

namespace qdedup::review {

// All of a report that comes before the pairs: the sums, the counts of each step, the settings and the
// histograms.
void append_overview(Html& html, const ReportHeader& header, const ListSummary& summary);

}  // namespace qdedup::review
