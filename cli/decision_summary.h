#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/session.h"
#include "db/decisions.h"
#include "review/deciding.h"

namespace qdedup::cli {

// What became of decisions.
struct DecisionSummary {
  db::DecisionReport report;
  std::uint64_t undecided = 0;
  std::map<std::string, std::uint64_t> refused;  // by reason
  bool trial = false;
  bool kept = true;  // false: as something was refused, nothing was changed
};

// Takes the decisions into the store: all of them or, when one is refused, none or the others. Problems with
// rows of `list` are told as "list:line: reason".
Result<DecisionSummary> take_decisions(const Session& session, WritableState& state,
                                       review::RequestedDecisions requested, const std::string& decider,
                                       db::OnRefusal on_refusal, bool trial, const std::string& list);

// "3 approved, 1 rejected; 2 were so already", and what was refused; or the same as JSON.
void print_decisions(const Session& session, const DecisionSummary& summary);

}  // namespace qdedup::cli
