#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "review/verification.h"

namespace qdedup::cli {
namespace {

void print_breach(std::ostream& out, const db::Breach& breach) {
  out << breach.kind << ": ";
  if (breach.deletion_id == 0) {
    out << escaped(breach.detail) << '\n';
  } else {
    out << breach.question << " in favour of " << breach.keeper << '\n';
  }
}

Json breach_json(const db::Breach& breach) {
  Json json = {{"kind", breach.kind}};
  if (breach.deletion_id == 0) {
    json["detail"] = breach.detail;
  } else {
    json["delete_id"] = breach.question;
    json["keep_id"] = breach.keeper;
  }
  return json;
}

Result<int> verify_state(const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  Json breaches = Json::array();
  QDEDUP_ASSIGN_OR_RETURN(const review::VerificationCounts counts,
                          review::verify(
                              state.store, state.bank,
                              [&](const db::Breach& breach) {
                                if (context.json()) {
                                  breaches.push_back(breach_json(breach));
                                } else {
                                  print_breach(context.words(), breach);
                                }
                              },
                              context.progress()));
  if (context.json()) {
    print_json(context.out(),
               {{"open", counts.open ? Json(*counts.open) : Json()}, {"breaches", std::move(breaches)}});
  } else if (!counts.open) {
    context.words() << "damaged pages; no deletion was checked\n";
  } else if (counts.breaches == 0) {
    context.words() << counted(*counts.open, "open deletion") << ": all hold\n";
  } else {
    context.words() << counted(*counts.open, "open deletion")
                    << "; what does not hold: " << grouped(counts.breaches)
                    << " (what changed in the bank, the next iteration withdraws; what is wrong about "
                       "arrivals, the next import settles)\n";
  }
  return counts.breaches == 0 ? 0 : static_cast<int>(ErrorCode::data);
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
