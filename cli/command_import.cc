#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/containers.h"
#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/near_measure.h"
#include "cli/output_file.h"
#include "cli/summaries.h"
#include "db/bank_import.h"
#include "db/bank_reading.h"
#include "db/deletions.h"
#include "db/fingerprints.h"
#include "import/bank_loader.h"
#include "import/text_source.h"
#include "iteration/arriving.h"
#include "iteration/draft.h"
#include "markup/compared.h"

namespace qdedup::cli {
namespace {

using import::QuestionFormat;

struct ImportOptions {
  std::vector<std::string> files;
  std::vector<std::string> remove;
  import::FileShape shape;
  bool strict = false;
  std::string duplicates;  // where to report them; empty: nowhere
};

QuestionFormat format_named(const std::string& name) {
  if (name == "jsonl") return QuestionFormat::jsonl;
  return name == "csv" ? QuestionFormat::csv : QuestionFormat::tsv;
}

// Suggests the setting under which markup that was taken literally would be read.
void suggest_markup(const CommandContext& context, const std::string& path,
                    const import::MarkupCounts& markup) {
  constexpr std::uint64_t noticed = 100;  // one text in this many
  if (context.quiet() || markup.any * noticed <= markup.texts) return;
  const std::string shown = escaped(path);
  context.err() << Verbatim{shown} << ": " << grouped(markup.any) << " of " << counted(markup.texts, "text")
                << " looked at hold markup (HTML " << grouped(markup.html) << ", LaTeX "
                << grouped(markup.formulas) << ", figures " << grouped(markup.figures)
                << "), which is compared as it stands. [text] markup = \"auto\" reads it; look first with: "
                << "qdedup text " << Verbatim{shown} << '\n';
}

Status load(import::RowUse use, const CommandContext& context, db::Bank& bank, const std::string& path,
            const import::FileShape& shape, import::ImportCounts& total) {
  RejectedRows rows(context.console(), path);
  const auto rejected = [&](std::uint64_t line, std::string_view reason, std::string_view detail) {
    rows.report(line, reason, detail);
  };
  import::ImportCounts counts;
  Status loaded = import::load_file(bank, use, path, context.files(), shape, context.settings().text,
                                    context.settings().resources.memory_bytes, context.clock(), rejected,
                                    context.progress(), counts);
  rows.report_rest();
  const bool is_wrong_file = counts.rows > 1;  // a bad row alone is a bad row
  if (loaded.ok() && is_wrong_file && counts.rejected_total() == counts.rows) {
    const bool is_pointer = shape.columns.id.starts_with('/') || shape.columns.texts.front().starts_with('/');
    loaded = Error{ErrorCode::data,
                   path +
                       ": no row could be used; is it a file of questions, in UTF-8, with id and text? See "
                       "--encoding, --id-column and --text-column" +
                       (is_pointer ? "; columns are keys of the row itself, not JSON pointers" : "")};
  }
  if (context.settings().text.markup == markup::Reading::plain) {
    suggest_markup(context, path, counts.markup);
  } else {
    report_unknown_markup(context, path, counts.markup.unknown);
  }
  total += counts;
  return loaded;
}

Json to_json(const import::ImportCounts& counts) {
  return {{"rows", counts.rows},
          {"inserted", counts.inserted},
          {"replaced", counts.replaced},
          {"unchanged", counts.unchanged},
          {"removed", counts.removed},
          {"absent", counts.absent},
          {"too_long", counts.too_long},
          {"rejected", counts.rejected},
          {"markup",
           {{"texts", counts.markup.texts},
            {"html", counts.markup.html},
            {"latex", counts.markup.formulas},
            {"figures", counts.markup.figures},
            {"unknown", counts.markup.unknown}}}};
}

void print(std::ostream& out, const import::ImportCounts& counts) {
  out << counted(counts.rows, "row") << ": " << grouped(counts.inserted) << " inserted, "
      << grouped(counts.replaced) << " replaced, " << grouped(counts.unchanged) << " unchanged, "
      << grouped(counts.removed) << " removed, " << grouped(counts.rejected_total()) << " rejected\n";
  if (counts.absent > 0) out << counted(counts.absent, "id") << " to be removed not in the bank\n";
  if (counts.too_long > 0) {
    out << counted(counts.too_long, "question") << " kept, and not compared: " << markup::too_long_rule
        << '\n';
  }
  for (const auto& [reason, rows] : counts.rejected)
    out << "  rejected " << grouped(rows) << ": " << reason << '\n';
}

// So that a mistake makes no state: if there is none yet, some file must be one of questions.
Status expect_questions(const ImportOptions& options, const CommandContext& context) {
  std::error_code failure;
  if (std::filesystem::exists(context.folder().store_path(), failure)) return {};
  std::optional<Error> wrong;
  for (const std::string& path : options.files) {
    const bool is_stream = path == "-" || (std::filesystem::exists(path, failure) &&
                                           !std::filesystem::is_regular_file(path, failure));
    if (is_stream) return {};
    const auto opened = import::open_questions(path, context.files(), options.shape);
    if (opened.ok()) return {};
    if (wrong) context.console().report(*wrong);
    wrong = opened.error();
  }
  return wrong ? Status(*wrong) : Status();
}

// Says what is missing, as nothing is decided before it is there.
Status finish_lost_bank(db::Bank& bank, db::Store& reading, const import::ImportCounts& counts,
                        const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  const bool changed = counts.inserted + counts.replaced + counts.removed > 0;
  const bool again = !changed && counts.unchanged >= questions;
  QDEDUP_ASSIGN_OR_RETURN(
      const std::optional<db::NeededQuestions> needed,
      db::finish_lost_bank(bank, reading, again ? db::Imported::all_again : db::Imported::some));
  if (!needed) return {};
  context.err()
      << Verbatim{escaped(bank.path())} << ": lacks " << grouped(needed->missing) << " of "
      << counted(needed->all, "question")
      << " that deletions, classes and arrivals rest on; nothing is decided before nine tenths are there. "
         "Import the others too. Where they are gone for good, import all that is left once more, in one "
         "command\n";
  return {};
}

// By which the bank's texts are extracted, if it has any. An import may change that, except where earlier
// decisions rest on a bank that is not there.
Result<std::optional<markup::Options>> options_before(db::Bank& bank, db::Store& reading,
                                                      const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank.count());
  if (questions > 0) return db::known_options(bank);
  QDEDUP_TRY(iteration::expect_text_settings(reading, bank, context.settings().text));
  return std::optional<markup::Options>();
}

// Of a removal, in which `before` was the newest change of the bank: questions in whose favour others are
// gone already. Not of more than a million changes.
Status say_what_has_no_keeper(db::Bank& bank, db::Store& reading, std::int64_t before,
                              const CommandContext& context) {
  constexpr std::size_t max_changes = 1'000'000;
  QDEDUP_ASSIGN_OR_RETURN(auto changed, db::changed_since(bank, before, max_changes));
  if (!changed || context.quiet()) return {};
  sort_unique(*changed);
  db::Deletions deletions(reading);
  std::uint64_t keepers = 0;
  for (const QuestionId id : *changed) {
    QDEDUP_ASSIGN_OR_RETURN(const bool is_keeper, deletions.is_applied_for(id));
    if (!is_keeper) continue;
    QDEDUP_ASSIGN_OR_RETURN(const auto stays, bank.find(id));
    if (!stays) ++keepers;
  }
  if (keepers == 0) return {};
  context.err()
      << counted(keepers, "question")
      << " left the bank that applied deletions rest on; where what was deleted has gone too, nothing "
         "is left of it. Unless that was meant, import them again\n";
  return {};
}

Result<int> import_all(const ImportOptions& options, const CommandContext& context) {
  QDEDUP_TRY(expect_questions(options, context));
  const Makes makes = options.files.empty() ? Makes::nothing : Makes::bank;
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing(Mines::no, makes));
  if (state->lost_bank) {
    context.err() << Verbatim{escaped(state->bank.path())}
                  << ": is missing, though qdedup.db remembers its questions; it is made anew. Import all "
                     "questions: nothing is decided before that\n";
  }
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_TRY(iteration::expect_bank_here(reading, state->bank));
  std::optional<markup::Options> read_by;
  if (!options.files.empty()) {
    QDEDUP_ASSIGN_OR_RETURN(read_by, options_before(state->bank, reading, context));
  }
  const auto follow = [&] {
    return iteration::follow_bank(reading, state->store, state->bank, context.settings().refine,
                                  context.clock());
  };
  QDEDUP_TRY(follow());  // so that what was about to enter when the program ended is not taken for new later
  import::ImportCounts total;
  std::optional<Error> failure;
  const auto load_next = [&](import::RowUse use, const std::string& path) {
    if (failure && failure->code != ErrorCode::no_input && failure->code != ErrorCode::data) return;
    Status loaded = load(use, context, state->bank, path, options.shape, total);
    if (loaded.ok()) return;
    if (failure) context.console().report(*failure);
    failure = std::move(loaded).error();
  };
  for (const std::string& path : options.files) load_next(import::RowUse::question, path);
  QDEDUP_ASSIGN_OR_RETURN(const auto read_now, db::known_options(state->bank));
  say_what_is_read_anew(context, state->bank.path(), read_by, read_now);
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t before_removal, db::newest_change(state->bank));
  for (const std::string& path : options.remove) load_next(import::RowUse::id, path);
  const bool any = !options.files.empty() && total.inserted + total.replaced + total.unchanged > 0;
  if (!failure && any) QDEDUP_TRY(finish_lost_bank(state->bank, reading, total, context));
  // What is missing for now is no reason for what arrived to go.
  Status followed = failure ? Status() : follow();
  context.note_done({{"rows", total.rows},
                     {"inserted", total.inserted},
                     {"replaced", total.replaced},
                     {"unchanged", total.unchanged},
                     {"removed", total.removed},
                     {"rejected", total.rejected_total()}});
  if (context.json()) {
    print_json(context.out(), to_json(total));
  } else {
    print(context.words(), total);
  }
  if (total.removed > 0) QDEDUP_TRY(say_what_has_no_keeper(state->bank, reading, before_removal, context));
  if (failure) return *std::move(failure);
  QDEDUP_TRY(std::move(followed));
  return batch_exit_code(total.rejected_total() > 0, options.strict);
}

// A report in the place of a file that is imported would be all that is left of it.
Status expect_other_file(const ImportOptions& options) {
  for (const auto* files : {&options.files, &options.remove}) {
    for (const std::string& file : *files) {
      std::error_code failure;  // such as where there is no report yet
      if (!std::filesystem::equivalent(file, options.duplicates, failure)) continue;
      return Error{ErrorCode::usage,
                   options.duplicates + ": is imported; --report-duplicates needs a file of its own"};
    }
  }
  return {};
}

Result<int> run_import(const ImportOptions& options, const CommandContext& context) {
  QDEDUP_TRY(expect_other_file(options));
  QDEDUP_ASSIGN_OR_RETURN(const int exit_code, import_all(options, context));
  if (options.duplicates.empty()) return exit_code;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t equal, report_equal_texts(options.duplicates, context));
  if (!context.quiet()) {
    context.err() << counted(equal, "question") << " of the bank with the text of another: listed in "
                  << Verbatim{escaped(options.duplicates)} << '\n';
  }
  return exit_code;
}

}  // namespace

void report_unknown_markup(const CommandContext& context, std::string_view path,
                           const std::map<std::string, std::uint64_t>& unknown) {
  constexpr std::size_t max_shown = 20;
  std::vector<std::pair<std::uint64_t, std::string>> most_frequent;
  most_frequent.reserve(unknown.size());
  for (const auto& [name, count] : unknown) most_frequent.emplace_back(count, name);
  std::ranges::sort(most_frequent, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  const std::string shown = escaped(path);
  most_frequent.resize(std::min(most_frequent.size(), max_shown));
  for (const auto& [count, name] : most_frequent) {
    context.err() << Verbatim{shown} << ": unknown: " << Verbatim{escaped(name)} << " (" << grouped(count)
                  << ")\n";
  }
  if (unknown.size() > max_shown) {
    context.err() << Verbatim{shown} << ": and " << grouped(unknown.size() - max_shown) << " more\n";
  }
}

Result<std::uint64_t> for_each_question(const std::string& path, const import::FileShape& shape,
                                        const CommandContext& context,
                                        const std::function<Status(import::Question&)>& take) {
  QDEDUP_ASSIGN_OR_RETURN(const auto reader, import::open_questions(path, context.files(), shape));
  RejectedRows rejected(context.console(), path);
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<import::Row> row, reader->next());
    if (!row) break;
    if (const auto* error = std::get_if<import::RowError>(&row->content)) {
      rejected.report(row->line, error->reason, error->detail);
    } else {
      QDEDUP_TRY(take(std::get<import::Question>(row->content)));
    }
  }
  rejected.report_rest();
  return rejected.count();
}

void add_question_file_options(CLI::App& command, import::FileShape& shape) {
  const CLI::Validator named([](const std::string& name) { return name.empty() ? "a name is needed" : ""; },
                             "");
  const auto set_format = [&shape](const std::string& name) { shape.format = format_named(name); };
  command
      .add_option_function<std::string>(
          "--format", set_format,
          "jsonl (or an array), csv or tsv (default: by the file's name, or its first line)")
      ->check(CLI::IsMember({"jsonl", "csv", "tsv"}));
  command
      .add_option("--encoding", shape.encoding,
                  "Encoding of the file: utf-8 (the default), gb18030 (gbk, gb2312) or utf-16")
      ->type_name("NAME")
      ->transform(CLI::IsMember(import::encodings, CLI::ignore_case).description(""));
  command.add_option("--id-column", shape.columns.id, "The column, or key, of the id (default: id)")
      ->type_name("NAME")
      ->check(named);
  command
      .add_option("--text-column", shape.columns.texts,
                  "The column, or key, of the text (default: text); several, such as stem,options, are "
                  "joined in this order")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(named);
  command
      .add_option("--answer-column", shape.columns.answer,
                  "The column, or key, of the answer (default: answer, if there is one)")
      ->type_name("NAME")
      ->check(named);
}

void add_import_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command =
      app.add_subcommand("import", "Load questions into the bank, inserting or replacing by id");
  command->add_option("FILE", options->files,
                      "JSON lines, a JSON array, CSV or TSV; .gz and .zst too; - reads standard input");
  command->add_option("--remove", options->remove, "Remove the questions whose ids are in FILE from the bank")
      ->type_name("FILE");
  add_question_file_options(*command, options->shape);
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was rejected");
  command
      ->add_option(
          "--report-duplicates", options->duplicates,
          "Then list the questions of the bank that have the text of another, normalised (.csv, .tsv "
          "or .jsonl)")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([options, &chosen] {
    if (options->files.empty() && options->remove.empty()) throw CLI::RequiredError("FILE or --remove FILE");
    if (!options->duplicates.empty()) (void)list_format("", options->duplicates);
    std::vector<std::string> inputs = options->files;
    inputs.insert(inputs.end(), options->remove.begin(), options->remove.end());
    if (std::ranges::count(inputs, "-") > 1)
      throw CLI::ValidationError("-", "standard input is named twice, and can be read once");
    chosen = {with_options(options, run_import), true, std::move(inputs)};
  });
}

}  // namespace qdedup::cli
