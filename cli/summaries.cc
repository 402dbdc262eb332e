#include "cli/summaries.h"

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "iteration/iteration.h"

namespace qdedup::cli {

void print_line_totals(std::ostream& out, const db::LineTotals& totals) {
  out << counted(totals.lines, "line") << ": " << grouped(totals.selected) << " selected, "
      << grouped(totals.unselected) << " unselected, " << grouped(totals.rejected_total()) << " rejected\n";
  for (const auto& [reason, lines] : totals.rejected) {
    out << "          rejected " << grouped(lines) << ": " << escaped(reason) << '\n';
  }
}

Json line_totals_json(const db::LineTotals& totals) {
  return {{"lines", totals.lines},
          {"selected", totals.selected},
          {"unselected", totals.unselected},
          {"rejected", totals.rejected},
          {"nul_bytes", totals.nul_bytes}};
}

iteration::IterationContext iteration_context(const CommandContext& context, db::Store& reading,
                                              db::WritableState& state) {
  return {reading, state.store, state.bank, context.settings(), context.clock(), context.progress()};
}

void say_what_is_read_anew(const CommandContext& context, const std::string& place,
                           const std::optional<markup::Options>& before,
                           const std::optional<markup::Options>& now) {
  if (!before || !now || *before == *now || context.quiet()) return;
  context.err() << Verbatim{escaped(place)} << ": its texts were read with [text] "
                << Verbatim{iteration::shown_options(*before)} << ", and are all read again with "
                << Verbatim{iteration::shown_options(*now)}
                << "; what was decided on texts that change by it is decided anew\n";
}

Result<std::optional<db::IterationRecord>> iterate(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::IterationRecord> iteration,
                          iteration::run_iteration(iteration_context(context, reading, *state)));
  note_iteration(context, iteration);
  return iteration;
}

void note_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) return context.note_done({});
  const db::IterationCounts& counts = iteration->counts;
  context.note_done({{"iteration", static_cast<std::uint64_t>(iteration->id)},
                     {"lines", counts.lines},
                     {"questions", counts.ids},
                     {"deletions", counts.deletions},
                     {"withdrawn", counts.withdrawn}});
}

void print_iteration(std::ostream& out, const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) {
    out << "iterate   nothing new to decide; no iteration was made\n";
    return;
  }
  const db::IterationCounts& counts = iteration->counts;
  out << "merge     " << counted(counts.distinct_lists, "distinct list") << " with "
      << counted(counts.ids, "question") << ": " << counted(counts.clusters, "cluster") << ", the largest of "
      << grouped(counts.largest_cluster) << "; " << counted(counts.refused_joins, "join") << " refused\n"
      << "refine    " << counted(counts.deletions, "duplicate") << "; " << counted(counts.missing, "question")
      << " not in the bank\n";
  if (counts.ids > 0 && counts.missing * 2 > counts.ids) {
    out << "          most questions of the logs are not in the bank: was all of it imported?\n";
  }
  print_outcome(out, *iteration);
}

void show_iteration(const CommandContext& context, const std::optional<db::IterationRecord>& iteration) {
  if (context.json()) return print_json(context.out(), iteration_json(iteration));
  print_iteration(context.words(), iteration);
}

void print_outcome(std::ostream& out, const db::IterationRecord& iteration) {
  const db::IterationCounts& counts = iteration.counts;
  if (counts.withdrawn + counts.repointed + counts.held > 0) {
    out << "earlier   " << counted(counts.withdrawn, "deletion") << " withdrawn, "
        << grouped(counts.repointed) << " re-pointed, " << counted(counts.held, "keeper") << " held\n";
  }
  if (iteration.withheld) {
    out << "          more than [review] max_deletions_per_iteration: held until `qdedup review release "
        << iteration.id << "`\n";
  }
  out << "iteration " << iteration.id << ": " << counted(counts.deletions, "question") << " to delete"
      << (counts.deletions > 0 ? "; see them with: qdedup export\n" : "\n");
}

std::vector<std::pair<std::string, std::string>> settings_of(const db::IterationRecord& iteration) {
  std::vector<std::pair<std::string, std::string>> settings;
  const Json json = parse_own_json(iteration.settings);
  for (const auto& [name, value] : json.items()) {
    settings.emplace_back(name, value.is_string() ? value.get<std::string>() : json_text(value));
  }
  settings.emplace_back("weights", iteration.weights);
  return settings;
}

Json iteration_json(const std::optional<db::IterationRecord>& iteration) {
  if (!iteration) return nullptr;
  Json json = {{"id", iteration->id},
               {"kind", iteration->kind},
               {"started_at", iteration->started_at},
               {"finished_at", iteration->finished_at},
               {"version", iteration->version},
               {"settings", parse_own_json(iteration->settings)},
               {"weights", iteration->weights}};
  for (const auto& [name, count] : db::count_columns) json[name] = iteration->counts.*count;
  json["withheld"] = iteration->withheld;
  json["released_at"] = iteration->released_at;
  json["released_by"] = iteration->released_by;
  return json;
}

}  // namespace qdedup::cli
