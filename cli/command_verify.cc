#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "cli/number.h"
#include "cli/printable.h"
#include "review/verification.h"

namespace qdedup::cli {
namespace {

void print_breach(std::ostream& out, const review::Breach& breach) {
  out << breach.kind << ": ";
  if (breach.deletion_id == 0) {
    out << printable(breach.detail) << '\n';
  } else {
    out << breach.question << " in favour of " << breach.keeper << '\n';
  }
}

nlohmann::ordered_json breach_json(const review::Breach& breach) {
  nlohmann::ordered_json json = {{"kind", breach.kind}};
  if (breach.deletion_id == 0) {
    json["detail"] = breach.detail;
  } else {
    json["delete_id"] = breach.question;
    json["keep_id"] = breach.keeper;
  }
  return json;
}

Result<int> verify_state(const Session& session) {
  Result<ReadableState> state = session.open_for_reading();
  if (!state.ok()) return std::move(state).error();
  nlohmann::ordered_json told = nlohmann::ordered_json::array();
  const Result<review::VerificationCounts> counts = review::verify(
      state->store, state->bank,
      [&](const review::Breach& breach) {
        if (session.json()) {
          told.push_back(breach_json(breach));
        } else {
          print_breach(session.out(), breach);
        }
      },
      session.progress());
  if (!counts.ok()) return counts.error();
  if (session.json()) {
    print_json(session.out(), {{"open", counts->open}, {"breaches", std::move(told)}});
  } else if (counts->breaches == 0) {
    session.out() << counted(counts->open, "open deletion") << ": all hold\n";
  } else {
    session.out() << counted(counts->open, "open deletion") << "; " << grouped(counts->breaches)
                  << " things do not hold (what changed in the bank, the next iteration withdraws)\n";
  }
  return counts->breaches == 0 ? 0 : static_cast<int>(ErrorCode::data);
}

}  // namespace

void add_verify_command(CLI::App& app, Command& chosen) {
  app.add_subcommand(
         "verify",
         "Check the whole store: each deletion against the question that stays, texts changed since, "
         "and the records of decisions; exits with 65 unless all hold")
      ->callback([&chosen] { chosen.run = verify_state; });
}

}  // namespace qdedup::cli
