#include <array>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "db/learned_weights.h"
#include "refine/risk_learning.h"
#include "review/judged_pairs.h"

namespace qdedup::cli {
namespace {

struct LearnOptions {
  bool trial = false;
  bool undo = false;
  std::string by;
};

std::string loss_text(double loss) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.4f", loss);
  return text.data();
}

std::string part_text(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

Json quality_json(const refine::RiskQuality& quality, const refine::RiskModel& model) {
  return {{"weights", model.name()},
          {"log_loss", quality.log_loss},
          {"approved", quality.same},
          {"rejected", quality.different},
          {"safe_approved", quality.safe_same},
          {"safe_rejected", quality.safe_different}};
}

void print_row(std::ostream& out, std::string title, std::string before, const std::string& after) {
  title.resize(24, ' ');
  before.resize(18, ' ');
  out << title << before << after << '\n';
}

void print_learning(std::ostream& out, const refine::Learning& learning, const refine::RiskModel& in_force) {
  out << "pairs that differ in a word, decided one by one: " << grouped(learning.same) << " approved, "
      << grouped(learning.different) << " rejected\n";
  if (!learning.learned) return;
  const refine::RiskQuality& before = learning.before;
  const refine::RiskQuality& after = learning.after;
  out << "on " << grouped(learning.tested) << " of them, which were not learned from:\n";
  print_row(out, "", "before", "after");
  print_row(out, "weights", in_force.name(), learning.learned->name());
  print_row(out, "log loss", loss_text(before.log_loss), loss_text(after.log_loss));
  print_row(out, "safe of the approved", part_text(before.safe_same, before.same),
            part_text(after.safe_same, after.same));
  print_row(out, "rejected of the safe", part_text(before.safe_different, before.safe()),
            part_text(after.safe_different, after.safe()));
}

Json learning_json(const refine::Learning& learning, const refine::RiskModel& in_force, bool trial) {
  Json json = {{"dry_run", trial},
               {"approved", learning.same},
               {"rejected", learning.different},
               {"tested", learning.tested},
               {"learned", learning.refusal.empty() && !trial},
               {"refusal", learning.refusal}};
  if (!learning.learned) return json;
  json["before"] = quality_json(learning.before, in_force);
  json["after"] = quality_json(learning.after, *learning.learned);
  return json;
}

Result<int> learn(const LearnOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  QDEDUP_ASSIGN_OR_RETURN(ReadableState reading, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const refine::ContrastSettings settings,
                          db::with_weights(context.settings().contrast, reading.store));
  const refine::RiskModel& in_force = refine::model_of(settings);
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<refine::JudgedPair> pairs,
                          review::judged_pairs(reading.store, reading.bank, settings));
  const refine::Learning learning = learn_weights(refine::RiskModel::shipped(), in_force, pairs);
  const bool accepted = learning.refusal.empty();
  if (accepted && !options.trial) {
    const db::Decider who = {state->user, timestamp(context.clock().now()), options.by};
    QDEDUP_TRY(state->store.write([&](db::Store& store) {
      return db::LearnedWeights(store).add(*learning.learned, pairs.size(), who);
    }));
    context.note_done({{"pairs", pairs.size()}});
  }
  if (context.json()) {
    print_json(context.out(), learning_json(learning, in_force, options.trial));
  } else {
    print_learning(context.words(), learning, in_force);
  }
  if (!accepted) return Error{ErrorCode::data, "nothing was learned: " + learning.refusal};
  if (!context.json()) {
    context.words() << (options.trial
                            ? "dry run, nothing is changed\n"
                            : "what is listed from now on gets its risk from these weights; `qdedup "
                              "learn --undo` returns to those before\n");
  }
  return 0;
}

Result<int> undo(const LearnOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(const auto state, context.open_for_writing());
  const db::Decider who = {state->user, timestamp(context.clock().now()), options.by};
  QDEDUP_ASSIGN_OR_RETURN(const bool undone, state->store.write([&](db::Store& store) {
    return db::LearnedWeights(store).undo(who);
  }));
  if (!undone) return Error{ErrorCode::no_input, "no learned weights are in force"};
  context.note_done({{"weights_undone", 1}});
  QDEDUP_ASSIGN_OR_RETURN(db::Store reading, context.open_store_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const refine::ContrastSettings settings,
                          db::with_weights(context.settings().contrast, reading));
  const std::string& name = refine::model_of(settings).name();
  if (context.json()) {
    print_json(context.out(), {{"weights", name}});
  } else {
    context.words() << "in force again: " << name
                    << (settings.model ? "\n" : ", the weights that the program comes with\n");
  }
  return 0;
}

}  // namespace

void add_learn_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* command = app.add_subcommand(
      "learn",
      "Fit the weights of the risk to the pairs that people decided one by one; exits with 65 and changes "
      "nothing where these are too few, or the risks would not fit better");
  CLI::Option* trial = command->add_flag("--dry-run", options->trial, "Only report what would be learned");
  command->add_flag("--undo", options->undo, "Return to the weights before those in force")->excludes(trial);
  add_by_option(*command, options->by, "Who does it, for the record");
  command->callback([options, &chosen] {
    chosen = {with_options(options, options->undo ? undo : learn), true};
  });
}

}  // namespace qdedup::cli
