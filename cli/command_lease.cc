#include <ostream>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/daemon_client.h"

namespace qdedup::cli {
namespace {

Result<int> end_lease(const CommandContext& context) {
  QDEDUP_TRY(config::expect_own_folder(context.settings().state));
  QDEDUP_ASSIGN_OR_RETURN(std::optional<DaemonClient> daemon,
                          DaemonClient::connect(context.folder().socket_path()));
  if (!daemon) {
    return Error{ErrorCode::no_input, context.folder().path() + ": no daemon works on this state"};
  }
  QDEDUP_ASSIGN_OR_RETURN(const DaemonClient::Answer answer, daemon->post("/api/lease/end", "{}"));
  if (answer.status != 200) return Error{ErrorCode::no_input, reason_of(answer.body)};
  const std::string_view said(answer.body);
  context.words() << escaped(said.substr(0, said.find('\n'))) << '\n';
  return 0;
}

}  // namespace

void add_lease_command(CLI::App& app, Command& chosen) {
  CLI::App* lease =
      app.add_subcommand("lease", "The daemon's permission for one command at a time to change the state");
  lease->require_subcommand(1);
  lease->fallthrough();
  lease
      ->add_subcommand("end",
                       "Revoke it: the command that holds it exits with 75; what it has stored before stays")
      ->callback([&chosen] { chosen.run = end_lease; });
}

}  // namespace qdedup::cli
