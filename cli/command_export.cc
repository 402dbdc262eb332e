#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "base/parse_number.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/summaries.h"
#include "db/decisions.h"
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "db/iterations.h"
#include "db/learned_weights.h"
#include "db/snapshot.h"
#include "import/line_reader.h"
#include "iteration/arriving.h"
#include "iteration/draft.h"
#include "logs/byte_source.h"
#include "refine/character_counts.h"
#include "review/deletion_list.h"
#include "review/export.h"
#include "review/html_report.h"
#include "review/verification.h"
#include "review/workbook.h"

namespace qdedup::cli {
namespace {

// More pairs than anyone can read, and browsers struggle with larger pages.
constexpr std::uint64_t default_pairs_shown = 5000;

constexpr const char* all_iterations = "all";

struct ExportOptions {
  std::string iteration;  // a number, or "all"; empty: the latest
  std::vector<std::string> statuses;
  std::string confidence;
  std::optional<refine::Risk> max_risk;
  std::string format;  // empty: determined by the output's name
  std::string output;
  std::uint64_t max_pairs = default_pairs_shown;
  bool undo = false;
  bool classes = false;
  std::string sort = "representative";

  [[nodiscard]] bool of_all() const { return iteration == all_iterations; }
  [[nodiscard]] bool has_approved() const {
    return std::ranges::find(statuses, "approved") != statuses.end();
  }
};

db::DeletionFilter filter_of(const ExportOptions& options, std::int64_t iteration) {
  db::DeletionFilter filter;
  if (!options.of_all()) filter.iteration = iteration;
  for (const std::string& status : options.statuses) {
    filter.statuses.push_back(db::deletion_status_named(status).value());  // CLI11 has checked it
  }
  filter.confidence = refine::confidence_named(options.confidence);
  filter.max_risk = options.max_risk;
  return filter;
}

// Of all iterations, the latest one.
Result<db::IterationRecord> iteration_to_export(db::Store& store, const ExportOptions& options) {
  const auto id = parse_number<std::int64_t>(options.iteration);
  if (id) return db::Iterations(store).existing(*id);
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::IterationRecord> found, db::Iterations(store).find({}));
  if (found.has_value()) return *std::move(found);
  return Error{ErrorCode::no_input, "there is no iteration yet; `qdedup run LOG` makes one"};
}

std::vector<review::ReportHeader::Count> counts_of(const db::IterationCounts& counts) {
  return {{"mine", "lines", counts.lines},
          {"mine", "selected", counts.selected},
          {"mine", "unselected", counts.unselected},
          {"mine", "rejected", counts.rejected},
          {"merge", "distinct lists", counts.distinct_lists},
          {"merge", "questions", counts.ids},
          {"merge", "joins", counts.joins},
          {"merge", "joins refused", counts.refused_joins},
          {"merge", "clusters", counts.clusters},
          {"merge", "largest cluster", counts.largest_cluster},
          {"refine", "questions not in the bank", counts.missing},
          {"refine", "keepers held", counts.held},
          {"refine", "deletions re-pointed", counts.repointed},
          {"refine", "deletions withdrawn", counts.withdrawn},
          {"refine", "deletions", counts.deletions}};
}

review::ReportHeader header_of(const db::IterationRecord& iteration) {
  return {iteration, false, settings_of(iteration), counts_of(iteration.counts)};
}

// Which deletions to write.
struct Source {
  ReadableState& state;
  db::DeletionFilter filter;
  bool rechecked = false;

  [[nodiscard]] Result<review::DeletionStream> stream(
      const review::ContrastMeasure* contrast = nullptr) const {
    QDEDUP_ASSIGN_OR_RETURN(review::DeletionStream entries,
                            review::stream_deletions(state.store, state.bank, filter, contrast));
    return rechecked ? review::without_outdated(std::move(entries)) : std::move(entries);
  }
};

// Counts the approved entries that are not valid any more; what is read several times counts once.
review::DeletionStream counted_stream(review::DeletionStream entries, std::uint64_t& outdated) {
  return [entries = std::move(entries), &outdated,
          count = std::uint64_t{0}](review::DeletionEntry& entry) mutable {
    Result<bool> more = entries(entry);
    const bool is_approved = entry.row.status == db::DeletionStatus::approved;
    if (more.ok() && *more && entry.outdated && is_approved) outdated = std::max(outdated, ++count);
    return more;
  };
}

Status write_html(const Source& source, const refine::ContrastSettings& settings,
                  const db::IterationRecord& iteration, std::uint64_t max_pairs, std::uint64_t& outdated,
                  std::ostream& out) {
  QDEDUP_ASSIGN_OR_RETURN(refine::CharacterCounts characters, source.state.bank.character_counts());
  QDEDUP_ASSIGN_OR_RETURN(refine::ContrastSettings contrast_settings,
                          db::with_weights(settings, source.state.store));
  const review::ContrastMeasure contrast{std::move(characters), std::move(contrast_settings)};
  const auto restart = [&]() -> review::DeletionStream {
    Result<review::DeletionStream> entries = source.stream(&contrast);
    if (entries.ok()) return counted_stream(*std::move(entries), outdated);
    return [error = entries.error()](review::DeletionEntry&) -> Result<bool> { return error; };
  };
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(source.state.bank));
  review::ReportHeader header = header_of(iteration);
  header.draws = options && options->markup == markup::Reading::automatic;
  return review::write_html_report(header, restart, max_pairs, out);
}

// A snapshot of the state, and the iteration to export from it.
struct ExportMoment {
  ReadableState state;
  db::Snapshot store;
  db::Snapshot bank;
  db::IterationRecord iteration;
};

Result<ExportMoment> present_moment(const ExportOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(db::Snapshot store, db::Snapshot::take(state.store));
  QDEDUP_ASSIGN_OR_RETURN(db::Snapshot bank, db::Snapshot::take(state.bank));
  QDEDUP_ASSIGN_OR_RETURN(db::IterationRecord iteration, iteration_to_export(state.store, options));
  return ExportMoment{std::move(state), std::move(store), std::move(bank), std::move(iteration)};
}

Status withdraw(const review::Recheck& recheck, db::WritableState& state, const CommandContext& context) {
  QDEDUP_TRY(state.store.write([&](db::Store& store) {
    return db::Decisions(store).withdraw(recheck.withdrawn, recheck.reopened,
                                         timestamp(context.clock().now()));
  }));
  context.note_done({{"withdrawn", recheck.withdrawn.size()}});
  context.err() << counted(recheck.withdrawn.size(), "approved deletion") << " withdrawn, no longer valid:\n";
  std::map<std::string, std::uint64_t> reasons;
  for (const db::Withdrawal& withdrawal : recheck.withdrawn) ++reasons[withdrawal.reason];
  for (const auto& [reason, number] : reasons)
    context.err() << "  " << reason << ": " << grouped(number) << '\n';
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  return iteration::follow_bank(reading, state.store, state.bank, context.settings().refine, context.clock());
}

// Compares approved deletions with the bank once more, in the same snapshot that is then written. If some
// have to be withdrawn, checks again in a new snapshot. Nobody else writes meanwhile.
Result<ExportMoment> rechecked_moment(const ExportOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto writable, context.open_for_writing());
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(ExportMoment moment, present_moment(options, context));
    QDEDUP_TRY(iteration::check_has_pairs(moment.state.store, moment.state.bank));
    QDEDUP_TRY(db::expect_current_options(moment.state.bank));
    QDEDUP_ASSIGN_OR_RETURN(const review::Recheck recheck,
                            review::recheck_approved(moment.state.store, moment.state.bank,
                                                     filter_of(options, moment.iteration.id)));
    if (recheck.withdrawn.empty()) return moment;
    QDEDUP_TRY(withdraw(recheck, *writable, context));
  }
}

// Whether each question of an undo list is one of `ids`, which are in order. False for any other file; of
// what somebody else put there, only as much is read as such a list may have.
bool has_only(const std::vector<QuestionId>& ids, const std::string& path, const logs::Files& files,
              std::uint64_t max_bytes) {
  const auto file = files.open(path);
  std::string first(logs::magic_bytes, '\0');
  if (!file.ok() || (*file)->size() > max_bytes || !(*file)->read_at(0, first).ok()) return false;
  if (logs::compression_of(first) != logs::Compression::none) return false;
  auto lines = import::open_lines(path, files);
  if (!lines.ok()) return false;
  QuestionId last = 0;
  while (true) {
    const Result<bool> more = lines->next();
    if (!more.ok() || !*more) return more.ok();
    QuestionId id = 0;
    const auto read_id = [&](const nlohmann::json& row) { id = question_id(row.at("id")); };
    if (!read_json(lines->text(), read_id).ok() || id <= last || !std::ranges::binary_search(ids, id))
      return false;
    last = id;
  }
}

// An undo list may be all that is left of questions that were deleted. One that has others than the new one
// gets another name.
Result<std::uint64_t> write_undo(const Source& source, const std::string& path,
                                 const CommandContext& context) {
  constexpr std::uint64_t some_bytes = std::uint64_t{1} << 20U;
  std::vector<QuestionId> listed;
  std::uint64_t bytes = 0;
  const auto write = [&](std::ostream& out) -> Status {
    QDEDUP_ASSIGN_OR_RETURN(const review::DeletionStream entries, source.stream());
    QDEDUP_ASSIGN_OR_RETURN(review::UndoList list, review::write_undo_list(entries, out));
    if (list.without_text > 0) {
      context.err() << counted(list.without_text, "question")
                    << " left the bank before, and cannot be put back by the undo list\n";
    }
    listed = std::move(list.written);
    bytes = static_cast<std::uint64_t>(std::max<std::streamoff>(out.tellp(), 0));
    return {};
  };
  const Replacing replacing{[&](const std::string& there) {
                              return has_only(listed, there, context.files(), 2 * bytes + some_bytes);
                            },
                            [&](const std::string& name) {
                              context.err() << Verbatim{escaped(path)}
                                            << ": has questions that the new undo list lacks; it is kept as "
                                            << Verbatim{escaped(name)} << '\n';
                            }};
  QDEDUP_TRY(write_output(path, context.folder(), context.out(), write, replacing));
  return std::uint64_t{listed.size()};
}

void say_what_is_written(const std::string& written, const ExportOptions& options,
                         const CommandContext& context) {
  if (options.output.empty() || context.quiet()) return;
  context.err() << written << " written to " << Verbatim{escaped(options.output)} << '\n';
}

Result<int> export_undo(const ExportOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ExportMoment moment, present_moment(options, context));
  Source source{moment.state, filter_of(options, moment.iteration.id)};
  if (source.filter.statuses.empty()) {
    source.filter.statuses = {db::DeletionStatus::approved, db::DeletionStatus::applied};
  }
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, write_undo(source, options.output, context));
  say_what_is_written(counted(questions, "question"), options, context);
  return 0;
}

Result<int> export_classes(const ExportOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  const std::string format = list_format(options.format, options.output);
  std::uint64_t lines = 0;
  QDEDUP_TRY(write_output(options.output, context.folder(), context.out(), [&](std::ostream& out) -> Status {
    QDEDUP_ASSIGN_OR_RETURN(lines, review::export_classes(state.store, *db::class_order_named(options.sort),
                                                          review::export_format_named(format), out));
    return {};
  }));
  say_what_is_written(counted(lines, "line"), options, context);
  return 0;
}

// Standard output or a device: nothing can be written beside it. /dev/stdout leads to /proc.
bool is_stream(const std::filesystem::path& output) {
  std::error_code failure;
  const auto is_in_proc = [&failure](const std::filesystem::path& place) {
    return std::filesystem::canonical(place.parent_path(), failure).string().starts_with("/proc/");
  };
  return output.empty() || output == "-" || std::filesystem::is_character_file(output, failure) ||
         is_in_proc(output) || is_in_proc(std::filesystem::read_symlink(output, failure));
}

// Of deletions that are pending or approved, if the list is to have those; without --status, pending ones.
Status say_what_others_have(const ExportOptions& options, const CommandContext& context,
                            ExportMoment& moment) {
  if (!options.iteration.empty() || context.quiet()) return {};
  db::DeletionFilter filter = filter_of(options, moment.iteration.id);
  filter.iteration.reset();
  if (filter.statuses.empty()) filter.statuses = {db::DeletionStatus::pending};
  for (const db::DeletionStatus status : std::exchange(filter.statuses, {})) {
    if (status != db::DeletionStatus::pending && status != db::DeletionStatus::approved) continue;
    filter.statuses = {status};
    QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::DeletionTally> tallies,
                            db::Deletions(moment.state.store).tallies(filter));
    std::int64_t oldest = moment.iteration.id;
    std::uint64_t deletions = 0;
    for (const db::DeletionTally& tally : tallies) {
      if (tally.iteration == moment.iteration.id) continue;
      oldest = std::min(oldest, tally.iteration);
      deletions += tally.deletions;
    }
    if (deletions == 0) continue;
    context.err() << "not in this list: " << counted(deletions, std::string(name(status)) + " deletion")
                  << " of earlier iterations, from " << oldest << " on (--iteration all)\n";
  }
  return {};
}

Result<int> export_deletions(const ExportOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ExportMoment moment, options.has_approved() ? rechecked_moment(options, context)
                                                                      : present_moment(options, context));
  const Source source{moment.state, filter_of(options, moment.iteration.id), options.has_approved()};
  const std::string format = output_format(options.format, options.output);
  if (options.has_approved() && !is_stream(options.output)) {
    QDEDUP_TRY(db::output_place(options.output, context.folder()));
    QDEDUP_TRY(write_undo(source, options.output + ".undo.jsonl", context));
  }
  std::uint64_t outdated = 0;
  QDEDUP_TRY(write_output(options.output, context.folder(), context.out(), [&](std::ostream& out) -> Status {
    if (format == "html") {
      return write_html(source, context.settings().contrast, moment.iteration, options.max_pairs, outdated,
                        out);
    }
    QDEDUP_ASSIGN_OR_RETURN(review::DeletionStream present, source.stream());
    const review::DeletionStream entries = counted_stream(std::move(present), outdated);
    if (format == "xlsx") return review::export_workbook(header_of(moment.iteration), entries, out);
    return review::export_list(entries, review::export_format_named(format), out);
  }));
  if (outdated > 0) {
    context.err()
        << counted(outdated, "approved deletion")
        << " of the list must not be applied: since the approval a text has changed, the answers have come "
           "to contradict each other, or the kept question has gone. qdedup export --status approved "
           "withdraws them\n";
  }
  QDEDUP_TRY(say_what_others_have(options, context, moment));
  if (!options.output.empty() && !context.quiet()) {
    QDEDUP_ASSIGN_OR_RETURN(const auto tallies, db::Deletions(moment.state.store).tallies(source.filter));
    std::uint64_t deletions = 0;
    for (const db::DeletionTally& tally : tallies) deletions += tally.deletions;
    if (format == "html") deletions = std::min(deletions, options.max_pairs);
    const std::string iteration = "iteration " + std::to_string(moment.iteration.id);
    context.err() << (options.of_all() ? "all iterations" : iteration) << ": "
                  << counted(deletions, "deletion") << " written to " << Verbatim{escaped(options.output)}
                  << " as " << format << '\n';
  }
  return 0;
}

}  // namespace

void add_export_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "The deletion list of an iteration, or a report on it");
  CLI::Option* iteration = command->add_option(
      "--iteration", options->iteration,
      "Which iteration, or, of a list in csv, tsv or jsonl, all of them (default: the latest)");
  iteration->check(whole_number_or(all_iterations));
  CLI::Option* status = command->add_option(
      "--status", options->statuses,
      "Only these: pending, approved, rejected, applied, withdrawn. Approved ones are checked "
      "against the "
      "bank first, and an undo list is written beside the output");
  status->delimiter(',')->type_name("S,...")->check(
      CLI::IsMember({"pending", "approved", "rejected", "applied", "withdrawn"}));
  CLI::Option* confidence =
      command->add_option("--confidence", options->confidence, "Only safe, or only doubtful ones");
  confidence->type_name("C")->check(CLI::IsMember({"safe", "doubtful"}));
  CLI::Option* max_risk = add_max_risk_option(*command, options->max_risk);
  command
      ->add_option(
          "--format", options->format,
          "csv, tsv, jsonl, xlsx, or html: a report in one file (default: by the name of the output, or csv)")
      ->check(CLI::IsMember({"csv", "tsv", "jsonl", "xlsx", "html"}));
  command->add_option("-o,--output", options->output, "Where to (default: standard output)")
      ->type_name("FILE")
      ->check(not_empty());
  CLI::Option* max_pairs = command->add_option("--max-pairs", options->max_pairs,
                                               "Pairs shown in the HTML report (default: 5000)");
  max_pairs->check(whole_number(0, 1'000'000'000));
  CLI::Option* undo = command->add_flag(
      "--undo", options->undo,
      "What is needed to put back questions that were approved or applied: JSON lines for import");
  CLI::Option* classes = command->add_flag(
      "--classes", options->classes,
      "Instead of a list, the classes of questions that are the same, with their representatives");
  classes->excludes(iteration, status, confidence, max_risk, undo);
  command
      ->add_option("--sort", options->sort,
                   "Classes by representative (default), the largest, or the smallest of them first")
      ->type_name("ORDER")
      ->check(
          CLI::IsMember(std::vector<std::string>(db::class_order_names.begin(), db::class_order_names.end())))
      ->needs(classes);
  command->callback([options, max_pairs, &chosen] {
    const bool is_report =
        !options->classes && !options->undo && output_format(options->format, options->output) == "html";
    if (max_pairs->count() > 0 && !is_report)
      throw CLI::ValidationError(max_pairs->get_name(), "does not apply to other formats than html");
    // Refuse unsupported formats before doing anything.
    if (options->classes) {
      (void)list_format(options->format, options->output);
      chosen.run = with_options(options, export_classes);
    } else if (options->undo) {
      expect_json_lines(options->format, options->output);
      chosen.run = with_options(options, export_undo);
    } else {
      (void)(options->of_all() ? list_format : output_format)(options->format, options->output);
      chosen = {with_options(options, export_deletions), options->has_approved()};
    }
  });
}

}  // namespace qdedup::cli
