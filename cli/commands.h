#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "import/question_reader.h"
#include "refine/confidence.h"
#include "refine/parts.h"

namespace qdedup::cli {

// Each adds a subcommand with its options to `app`, and sets `chosen` if the command line names it.
void add_acknowledge_command(CLI::App& app, Command& chosen);
void add_applied_command(CLI::App& app, Command& chosen);
void add_backup_command(CLI::App& app, Command& chosen);
void add_check_command(CLI::App& app, Command& chosen);
void add_config_command(CLI::App& app, Command& chosen, GlobalOptions& options);
void add_diff_command(CLI::App& app, Command& chosen);
void add_evaluate_command(CLI::App& app, Command& chosen);
void add_expire_command(CLI::App& app, Command& chosen);
void add_explain_command(CLI::App& app, Command& chosen);
void add_export_command(CLI::App& app, Command& chosen);
void add_features_command(CLI::App& app, Command& chosen);
void add_hamming_command(CLI::App& app, Command& chosen);
void add_import_command(CLI::App& app, Command& chosen);
void add_forget_command(CLI::App& app, Command& chosen);
void add_iterate_command(CLI::App& app, Command& chosen);
void add_iterations_command(CLI::App& app, Command& chosen);
void add_learn_command(CLI::App& app, Command& chosen);
void add_lease_command(CLI::App& app, Command& chosen);
void add_mine_command(CLI::App& app, Command& chosen);
void add_near_command(CLI::App& app, Command& chosen);
void add_review_command(CLI::App& app, Command& chosen);
void add_reviewer_command(CLI::App& app, Command& chosen);
void add_run_command(CLI::App& app, Command& chosen);
void add_similar_command(CLI::App& app, Command& chosen);
void add_simhash_command(CLI::App& app, Command& chosen);
void add_spark_command(CLI::App& app, Command& chosen);
void add_status_command(CLI::App& app, Command& chosen);
void add_sweep_command(CLI::App& app, Command& chosen);
void add_text_command(CLI::App& app, Command& chosen);
void add_verify_command(CLI::App& app, Command& chosen);

// Options for what a file of questions does not say about itself.
void add_question_file_options(CLI::App& command, import::FileShape& shape);

// Passes each question of a file to `take`, until that fails, and reports the rows that are none. Returns how
// many those are.
Result<std::uint64_t> for_each_question(const std::string& path, const import::FileShape& shape,
                                        const CommandContext& context,
                                        const std::function<Status(import::Question&)>& take);

// What of a text must be equal, for people: separated by spaces, the mark before lowered characters as
// [subscript].
std::string shown_signs(const refine::Parts& parts);

// --max-risk: only the deletions up to this risk.
CLI::Option* add_max_risk_option(CLI::App& command, std::optional<refine::Risk>& risk);

// Reports tags and commands that the markup reader does not know, the most frequent first.
void report_unknown_markup(const CommandContext& context, std::string_view path,
                           const std::map<std::string, std::uint64_t>& unknown);

// The value of a variable that a script did not set must not mean the default.
CLI::Validator not_empty();

// Accepts whole numbers from `min` to `max`, written in decimal digits only.
CLI::Validator whole_number(std::int64_t min = 1,
                            std::int64_t max = std::numeric_limits<std::int64_t>::max());

// The same, or this word.
CLI::Validator whole_number_or(const std::string& word, std::int64_t min = 1,
                               std::int64_t max = std::numeric_limits<std::int64_t>::max());

// --by: the name that is recorded, by the same rules as on the review page. An empty one stands for the
// calling user.
void add_by_option(CLI::App& command, std::string& by, const std::string& what);

// Checks a note that is recorded with a decision, by the same rules as the review page.
CLI::Validator audit_note();

// What `function` does with the options, which are read when it runs.
template <class Options, class Function>
auto with_options(std::shared_ptr<Options> options, Function function) {
  return [options = std::move(options), function](const CommandContext& context) {
    return function(*options, context);
  };
}

}  // namespace qdedup::cli
