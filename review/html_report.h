#pragma once

#include <cstdint>
#include <functional>
#include <ostream>

#include "base/result.h"
#include "review/deletion_list.h"
#include "review/html.h"
#include "review/report_overview.h"

namespace qdedup::review {

// One pair for people to compare: what is known about it, then the keeper's text beside the deleted one. What
// only the keeper has is in <ins>, what only the deleted question has in <del>; nothing is marked where
// either text is gone. `number` counts the pairs of the report from 1. The anchor of the pair is #q and the
// deleted question's id. With `draws`, texts are drawn: those of a bank whose markup was read.
void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry, bool draws = false);

// Writes a report that stands alone in one HTML file: no script is needed to read it, nothing is loaded from
// anywhere, and no text of a question can become markup. Counts of each step; histograms of similarity and of
// cluster size; each pair side by side with the differing characters marked. `entries` is run through twice:
// `restart` gives a fresh stream each time. At most `max_pairs` pairs are shown (histograms count all); the
// report says how many were left out.
// Fails with ErrorCode::io when `out` takes no more, and with whatever error a stream ends in.
Status write_html_report(const ReportHeader& header, const std::function<DeletionStream()>& restart,
                         std::uint64_t max_pairs, std::ostream& out);

}  // namespace qdedup::review
