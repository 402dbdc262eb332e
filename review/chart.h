#pragma once

#include <cstdint>
#include <span>

#include "review/histogram.h"
#include "review/html.h"

namespace qdedup::review {

// A horizontal bar, as long as `value` is of `greatest`, for the reader's eye only: the number stands beside
// it. Nothing where `value` is 0.
void append_bar(Html& html, std::uint64_t value, std::uint64_t greatest);

// A table with one row for each bar: label, number, bar.
void append_chart(Html& html, Markup caption, Markup label_heading, Markup count_heading,
                  std::span<const HistogramBar> bars);

}  // namespace qdedup::review
