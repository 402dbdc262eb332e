#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cli/command.h"
#include "db/evidence.h"
#include "db/iterations.h"
#include "iteration/draft.h"

namespace qdedup::cli {

// "60,000 lines: 20,276 selected, 39,724 unselected, 0 rejected", and a line for each reason for rejection.
void print_line_totals(std::ostream& out, const LineTotals& totals);
// The same for --json, with the number of NUL bytes.
Json line_totals_json(const LineTotals& totals);

constexpr const char* no_file_matches = "no file matches this pattern of [logs] paths";

// For an iteration; the arguments must outlive it.
iteration::IterationContext iteration_context(const CommandContext& context, db::Store& reading,
                                              db::WritableState& state);

// Where the texts of this place are read with another [text] than before.
void say_what_is_read_anew(const CommandContext& context, const std::string& place,
                           const std::optional<markup::Options>& before,
                           const std::optional<markup::Options>& now);

// Runs one iteration and shows its progress.
Result<std::optional<db::IterationRecord>> iterate(const CommandContext& context);

// Notes it for the daemon's journal.
void note_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration);

// The counts of each step, for people; or a message that there was nothing new.
void print_iteration(std::ostream& out, const std::optional<db::IterationRecord>& iteration);

// The same, or with --json iteration_json().
void show_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration);

// The last lines of print_iteration: what became of earlier deletions, and how many are listed.
void print_outcome(std::ostream& out, const db::IterationRecord& iteration);

// The settings of an iteration, as names and values in the order of the steps.
std::vector<std::pair<std::string, std::string>> settings_of(const db::IterationRecord& iteration);

// null if there was nothing new.
Json iteration_json(const std::optional<db::IterationRecord>& iteration);

// A histogram of the scores in logs, to choose thresholds by.
void print_scores(std::ostream& out, const std::vector<db::ScoreCount>& scores);
Json scores_json(const std::vector<db::ScoreCount>& scores);

}  // namespace qdedup::cli
