#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "db/iterations.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

struct DiffOptions {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

const char* where(const review::ListedTwice& listed) {
  if (!listed.second_keeper) return "only-first";
  if (!listed.first_keeper) return "only-second";
  return *listed.first_keeper == *listed.second_keeper ? "same" : "other-keeper";
}

std::string text_of(const std::optional<QuestionId>& keeper) { return keeper ? std::to_string(*keeper) : ""; }

void print_row(std::ostream& out, const review::ListedTwice& listed) {
  out << where(listed) << '\t' << listed.question << '\t' << text_of(listed.first_keeper) << '\t'
      << text_of(listed.second_keeper) << '\n';
}

Result<int> diff(const DiffOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  for (const std::int64_t id : {options.first, options.second})
    QDEDUP_TRY(db::Iterations(state.store).existing(id));
  if (!context.json()) context.out() << "where\tdelete_id\tfirst_keep_id\tsecond_keep_id\n";
  QDEDUP_ASSIGN_OR_RETURN(const review::DifferenceCounts counts,
                          review::compare_lists(state.store, options.first, options.second,
                                                [&](const review::ListedTwice& listed) {
                                                  if (!context.json()) print_row(context.out(), listed);
                                                }));
  if (context.json()) {
    print_json(context.out(), {{"same", counts.same},
                               {"other_keeper", counts.other_keeper},
                               {"only_first", counts.only_first},
                               {"only_second", counts.only_second}});
  } else if (!context.quiet()) {
    context.err() << grouped(counts.same) << " in both, " << grouped(counts.other_keeper)
                  << " in both with another keeper, " << grouped(counts.only_first) << " only in iteration "
                  << options.first << ", " << grouped(counts.only_second) << " only in iteration "
                  << options.second << '\n';
  }
  return 0;
}

}  // namespace

void add_diff_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "What the lists of two iterations have in common, and what not");
  command->add_option("FIRST", options->first, "An iteration")->required()->check(whole_number());
  command->add_option("SECOND", options->second, "Another one")->required()->check(whole_number());
  command->callback([options, &chosen] { chosen.run = with_options(options, diff); });
}

}  // namespace qdedup::cli
