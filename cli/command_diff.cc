#include <limits>
#include <memory>
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/whole_number.h"
#include "db/iterations.h"
#include "review/list_difference.h"

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

Status check_iteration(db::Store& store, std::int64_t id) {
  const auto found = db::Iterations(store).find(id);
  if (!found.ok()) return found.error();
  if (found->has_value()) return {};
  return Error{ErrorCode::no_input, "there is no iteration " + std::to_string(id)};
}

Result<int> diff(const DiffOptions& options, const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  QDEDUP_TRY(check_iteration(state->store, options.first));
  QDEDUP_TRY(check_iteration(state->store, options.second));
  if (!session.json()) session.out() << "where\tdelete_id\tfirst_keep_id\tsecond_keep_id\n";
  const Result<review::DifferenceCounts> counts = review::compare_lists(
      state->store, options.first, options.second, [&](const review::ListedTwice& listed) {
        if (!session.json()) print_row(session.out(), listed);
      });
  if (!counts.ok()) return counts.error();
  if (session.json()) {
    print_json(session.out(), {{"same", counts->same},
                               {"other_keeper", counts->other_keeper},
                               {"only_first", counts->only_first},
                               {"only_second", counts->only_second}});
  } else if (!session.quiet()) {
    session.err() << grouped(counts->same) << " in both, " << grouped(counts->other_keeper)
                  << " in both with another keeper, " << grouped(counts->only_first) << " only in iteration "
                  << options.first << ", " << grouped(counts->only_second) << " only in iteration "
                  << options.second << '\n';
  }
  return 0;
}

}  // namespace

void add_diff_command(CLI::App& app, Command& chosen) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "What the lists of two iterations have in common, and what not");
  command->add_option("FIRST", options->first, "An iteration")->required()->check(whole_number(1, most));
  command->add_option("SECOND", options->second, "Another one")->required()->check(whole_number(1, most));
  command->callback([options, &chosen] {
    chosen.run = [options](const Session& session) { return diff(*options, session); };
  });
}

}  // namespace qdedup::cli
