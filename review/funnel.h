#pragma once

#include <span>

#include "review/html.h"
#include "review/html_report.h"

namespace qdedup::review {

// A table of what each step took in and handed on, one row for each count, in the order given; counts that
// follow each other and name the same step stand together. Bars share one scale, so that one sees the numbers
// narrow down.
void append_funnel(Html& html, std::span<const ReportHeader::Count> counts);

}  // namespace qdedup::review
