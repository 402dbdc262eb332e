#include <algorithm>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "cli/near_measure.h"
#include "db/deletions.h"
#include "db/iterations.h"
#include "db/learned_weights.h"
#include "db/snapshot.h"
#include "refine/alignment.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/parts.h"
#include "refine/unicode.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

struct ExplainedQuestion {
  QuestionId id = 0;
  std::string text;
  std::optional<std::string> answer;
  std::optional<std::string> original;  // the text with its markup, if it has any
  refine::Parts parts;
  std::u32string compared;  // the Han part, or what the settings put in its place

  [[nodiscard]] refine::QuestionText contrasted() const { return {text, answer}; }
};

// Everything to show about a pair; `keeper` has the smaller id.
struct Explanation {
  ExplainedQuestion keeper;
  ExplainedQuestion question;
  refine::Comparison comparison;
  bool same_signs = false;  // whether they count or not
  refine::Contrast contrast;
  std::optional<db::DeletionRow> recorded;
  std::optional<db::Standing> standing{};  // of that, unless it was withdrawn
  bool withheld = false;                   // the iteration that listed it
  std::optional<Nearness> nearness{};

  [[nodiscard]] bool lacks_text() const { return keeper.text.empty() || question.text.empty(); }
  [[nodiscard]] bool duplicate() const { return comparison.duplicate && !lacks_text(); }
};

struct ExplainOptions {
  std::pair<QuestionId, QuestionId> ids;
  bool measures = false;
  FeatureOptions features;
};

Result<ExplainedQuestion> find_question(db::Bank& bank, QuestionId id,
                                        const refine::DuplicateSettings& settings) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::BankQuestion> found, bank.find(id));
  if (!found) {
    return Error{ErrorCode::no_input, "question " + std::to_string(id) + " is not in the bank"};
  }
  refine::Parts parts = refine::parts_of(found->text);
  std::u32string compared = refine::compared_parts(found->text, settings).han;
  return ExplainedQuestion{id,
                           std::move(found->text),
                           std::move(found->answer),
                           std::move(found->original.text),
                           std::move(parts),
                           std::move(compared)};
}

Result<Explanation> explain(ReadableState& state, std::pair<QuestionId, QuestionId> ids,
                            const config::Settings& settings) {
  QDEDUP_ASSIGN_OR_RETURN(ExplainedQuestion keeper,
                          find_question(state.bank, std::min(ids.first, ids.second), settings.refine));
  QDEDUP_ASSIGN_OR_RETURN(ExplainedQuestion question,
                          find_question(state.bank, std::max(ids.first, ids.second), settings.refine));
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::DeletionRow> recorded,
                          db::Deletions(state.store).find(question.id, keeper.id));
  QDEDUP_ASSIGN_OR_RETURN(const refine::CharacterCounts characters, state.bank.character_counts());
  QDEDUP_ASSIGN_OR_RETURN(const refine::ContrastSettings contrast_settings,
                          db::with_weights(settings.contrast, state.store));
  refine::Contrast contrast =
      refine::contrast(question.contrasted(), keeper.contrasted(), characters, contrast_settings);
  const refine::Comparison comparison =
      refine::compare_in_full(refine::compared_parts(keeper.text, settings.refine),
                              refine::compared_parts(question.text, settings.refine), settings.refine);
  const bool same_signs = keeper.parts.signs == question.parts.signs;
  Explanation explanation{std::move(keeper), std::move(question), comparison,
                          same_signs,        std::move(contrast), std::move(recorded)};
  if (explanation.recorded) {
    if (explanation.recorded->status != db::DeletionStatus::withdrawn) {
      QDEDUP_ASSIGN_OR_RETURN(explanation.standing, db::standing_of(*explanation.recorded, state.bank));
    }
    QDEDUP_ASSIGN_OR_RETURN(const auto iteration,
                            db::Iterations(state.store).find(explanation.recorded->iteration));
    explanation.withheld = iteration && iteration->withheld;
  }
  return explanation;
}

// What is compared, with what the other one lacks in square brackets.
std::string marked(const std::u32string& han, const std::vector<refine::AlignedStretch>& stretches,
                   std::size_t refine::AlignedStretch::*begin, std::size_t refine::AlignedStretch::*end) {
  std::string text;
  for (const refine::AlignedStretch& stretch : stretches) {
    const std::string part = escaped(
        refine::to_utf8(std::u32string_view(han).substr(stretch.*begin, stretch.*end - stretch.*begin)));
    text += stretch.same ? part : "[" + part + "]";
  }
  return text.empty() ? "(none)" : text;
}

void print_signs(std::ostream& out, const Explanation& explanation, const config::Settings& settings) {
  const auto shown = [](const ExplainedQuestion& question) {
    const std::string signs = shown_signs(question.parts);
    return signs.empty() ? std::string("(none)") : escaped(signs);
  };
  const std::string first = shown(explanation.keeper);
  const bool count = settings.refine.signs == refine::SignRule::equal;
  if (explanation.same_signs) {
    out << "Numbers, letters and signs: the same\n    " << first << '\n';
    return;
  }
  out << "Numbers, letters and signs: different (" << (count ? "their order counts" : "they do not count")
      << ")\n    " << first << "\n    " << shown(explanation.question) << '\n';
}

// What was measured, and how alike the two are.
std::string likeness(const refine::Comparison& comparison, const refine::DuplicateSettings& rule) {
  const std::string what =
      rule.compare == refine::ComparedText::han ? "Chinese characters: " : "Whole texts: ";
  const std::string percent = review::similarity_percent(comparison.distance, comparison.length);
  if (!refine::set_measure(rule.similarity)) {
    return what + std::to_string(comparison.distance) + " of " + std::to_string(comparison.length) +
           " differ, so they are " + percent + " % alike";
  }
  const std::string features =
      rule.features == refine::FeatureKind::words ? "words" : "runs of " + counted(rule.gram, "character");
  return what + "by " + std::string(name(rule.similarity)) + " of their " + features + " they are " +
         percent + " % alike";
}

void print_han(std::ostream& out, const Explanation& explanation, const config::Settings& settings) {
  const refine::Comparison& comparison = explanation.comparison;
  const std::u32string& keeper = explanation.keeper.compared;
  const std::u32string& question = explanation.question.compared;
  if (keeper.empty() && question.empty()) {
    out << "Chinese characters: neither has any\n";
    return;
  }
  out << likeness(comparison, settings.refine) << "; " << settings.refine.min_similarity << " % is needed\n";
  const auto stretches = refine::align(keeper, question);
  using refine::AlignedStretch;
  out << "    " << Verbatim{marked(keeper, stretches, &AlignedStretch::a_begin, &AlignedStretch::a_end)}
      << "\n    " << Verbatim{marked(question, stretches, &AlignedStretch::b_begin, &AlignedStretch::b_end)}
      << '\n';
}

void print_verdict(std::ostream& out, const Explanation& explanation, const config::Settings& settings) {
  const refine::DuplicateSettings& rule = settings.refine;
  if (explanation.lacks_text()) {
    out << "Not compared: a question without text, or one that is too long, is nobody's duplicate.\n";
  } else if (explanation.duplicate()) {
    out << "Duplicates: " << explanation.question.id << " can be deleted, and " << explanation.keeper.id
        << ", the smaller id, stays.\n";
  } else if (!explanation.comparison.same_signs) {
    out << "Not duplicates: their numbers, letters and signs differ.\n";
  } else if (!refine::may_have_duplicates(explanation.keeper.compared, rule) &&
             !refine::may_have_duplicates(explanation.question.compared, rule)) {
    out << "Not duplicates: nothing of them is compared.\n";
  } else {
    out << "Not duplicates: their "
        << (rule.compare == refine::ComparedText::han ? "Chinese characters" : "texts")
        << " are not alike enough.\n";
  }
}

void print_record(std::ostream& out, const Explanation& explanation) {
  if (!explanation.recorded) {
    if (explanation.duplicate()) {
      out << "This pair is on no list: no iteration or sweep compared this pair, a smaller keeper was "
             "chosen, or the larger one is kept for a question that was deleted.\n";
    }
    return;
  }
  const db::DeletionRow& recorded = *explanation.recorded;
  out << "Iteration " << recorded.iteration << " lists " << recorded.question << " for deletion in favour of "
      << recorded.keeper << ": " << name(recorded.status) << ", " << name(recorded.confidence) << ", risk "
      << text_of(recorded.risk) << ".\n";
  if (explanation.standing == db::Standing::text_changed)
    out << "A text has changed since the two were compared; the next iteration decides anew.\n";
  if (explanation.withheld && recorded.status == db::DeletionStatus::pending) {
    out << "Iteration " << recorded.iteration
        << " is held, as it lists too many; nothing of it is approved before `qdedup review release "
        << recorded.iteration << "`.\n";
  }
}

// The part of a question's text that a finding refers to.
void print_fragment(std::ostream& out, const ExplainedQuestion& question,
                    const refine::CodePointRange& range) {
  const std::string part =
      refine::to_utf8(refine::to_utf32(question.text).substr(range.begin, range.end - range.begin));
  if (part.empty()) {
    out << "nothing";
  } else {
    out << "“" << Verbatim{escaped(part)} << "”";
  }
  out << " in " << question.id;
}

void print_findings(std::ostream& out, const Explanation& explanation,
                    const std::vector<refine::Finding>& findings) {
  for (const refine::Finding& finding : findings) {
    if (finding.kind == "answer-differs" || finding.kind == "same-answer") {
      out << "    " << finding.kind << ": " << Verbatim{escaped(explanation.keeper.answer.value_or(""))}
          << " / " << Verbatim{escaped(explanation.question.answer.value_or(""))} << '\n';
      continue;
    }
    if (finding.question.end == 0 && finding.keeper.end == 0) {  // it is about the whole texts
      out << "    " << finding.kind << '\n';
      continue;
    }
    out << "    " << finding.kind << ": ";
    print_fragment(out, explanation.keeper, finding.keeper);
    out << ", ";
    print_fragment(out, explanation.question, finding.question);
    out << '\n';
  }
}

bool has_difference(const refine::Contrast& contrast) {
  return !std::ranges::all_of(contrast.harmless,
                              [](const refine::Finding& finding) { return finding.kind == "same-answer"; });
}

void print_contrast(std::ostream& out, const Explanation& explanation) {
  if (!explanation.duplicate()) return;
  const refine::Contrast& contrast = explanation.contrast;
  if (contrast.confidence == refine::Confidence::doubtful) {
    out << "Doubtful (risk " << text_of(contrast.risk)
        << "): they may ask something else, so look before you delete:\n";
    print_findings(out, explanation, contrast.reasons);
  } else {
    out << "Safe (risk " << text_of(contrast.risk)
        << (has_difference(contrast) ? "), although they differ:\n" : "): they have the same words.\n");
  }
  print_findings(out, explanation, contrast.harmless);
}

std::string percent(finder::Nearness hundredths) { return review::percent_digits(hundredths) + " %"; }

void print_measures(std::ostream& out, const Nearness& nearness) {
  out << "By their features: Jaccard " << percent(nearness.jaccard) << ", cosine "
      << percent(nearness.cosine);
  if (nearness.hamming) out << "; " << *nearness.hamming << " bits of their simhashes differ";
  out << '\n';
}

void print(std::ostream& out, const Explanation& explanation, const config::Settings& settings) {
  for (const ExplainedQuestion* question : {&explanation.keeper, &explanation.question}) {
    out << question->id << "  " << Verbatim{escaped(question->text)} << '\n';
    if (question->original && !question->text.starts_with(*question->original))
      out << "    read from: " << Verbatim{escaped(*question->original)} << '\n';
  }
  out << '\n';
  print_signs(out, explanation, settings);
  print_han(out, explanation, settings);
  print_verdict(out, explanation, settings);
  print_contrast(out, explanation);
  print_record(out, explanation);
  if (explanation.nearness) print_measures(out, *explanation.nearness);
}

Json question_json(const ExplainedQuestion& question) {
  return {{"id", question.id},
          {"text", question.text},
          {"original", question.original.value_or(question.text)},
          {"signs", refine::sign_list(question.parts)},
          {"han", refine::to_utf8(question.parts.han)}};
}

Json alignment_json(const std::u32string& a, const std::u32string& b) {
  Json json = Json::array();
  for (const refine::AlignedStretch& stretch : refine::align(a, b)) {
    json.push_back({{"same", stretch.same},
                    {"keep", refine::to_utf8(a.substr(stretch.a_begin, stretch.a_end - stretch.a_begin))},
                    {"delete", refine::to_utf8(b.substr(stretch.b_begin, stretch.b_end - stretch.b_begin))}});
  }
  return json;
}

Json findings_json(const std::vector<refine::Finding>& findings) {
  Json json = Json::array();
  for (const refine::Finding& finding : findings) {
    json.push_back({{"kind", finding.kind},
                    {"keep", {finding.keeper.begin, finding.keeper.end}},
                    {"delete", {finding.question.begin, finding.question.end}}});
  }
  return json;
}

Json to_json(const Explanation& explanation, const config::Settings& settings) {
  const refine::Comparison& comparison = explanation.comparison;
  const bool by_sets = refine::set_measure(settings.refine.similarity).has_value();
  Json rule;
  refine::add_settings(settings.refine, rule);
  Json recorded;
  if (explanation.recorded) {
    recorded = {{"iteration", explanation.recorded->iteration},
                {"status", name(explanation.recorded->status)},
                {"confidence", name(explanation.recorded->confidence)},
                {"reasons", explanation.recorded->reasons.text()},
                {"risk", explanation.recorded->risk.share()},
                {"standing", explanation.standing ? Json(name(*explanation.standing)) : Json()},
                {"withheld", explanation.withheld}};
  }
  Json measures;
  if (const auto& nearness = explanation.nearness) {
    const auto percent = [](finder::Nearness hundredths) { return hundredths / 100.0; };
    measures = {{"jaccard", percent(nearness->jaccard)},
                {"cosine", percent(nearness->cosine)},
                {"hamming", nearness->hamming ? Json(*nearness->hamming) : Json()}};
  }
  return {{"keep", question_json(explanation.keeper)},
          {"delete", question_json(explanation.question)},
          {"duplicate", explanation.duplicate()},
          {"same_signs", explanation.same_signs},
          {"distance", by_sets ? Json() : Json(comparison.distance)},
          {"length", by_sets ? Json() : Json(comparison.length)},
          {"similarity", std::stod(review::similarity_percent(comparison.distance, comparison.length))},
          {"min_similarity", settings.refine.min_similarity},
          {"rule", std::move(rule)},
          {"alignment", alignment_json(explanation.keeper.compared, explanation.question.compared)},
          {"confidence", explanation.duplicate() ? Json(name(explanation.contrast.confidence)) : Json()},
          {"risk", explanation.duplicate() ? Json(explanation.contrast.risk.share()) : Json()},
          {"reasons", findings_json(explanation.contrast.reasons)},
          {"harmless", findings_json(explanation.contrast.harmless)},
          {"recorded", std::move(recorded)},
          {"measures", std::move(measures)}};
}

Result<int> run_explain(const ExplainOptions& options, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot snapshot, db::Snapshot::take(state.bank));
  const config::Settings& settings = context.settings();
  QDEDUP_ASSIGN_OR_RETURN(Explanation explanation, explain(state, options.ids, settings));
  if (options.measures) {
    QDEDUP_ASSIGN_OR_RETURN(explanation.nearness,
                            nearness_of({explanation.keeper.text, explanation.question.text},
                                        options.features, state.bank, context));
  }
  if (context.json()) {
    print_json(context.out(), to_json(explanation, settings));
  } else {
    print(context.words(), explanation, settings);
  }
  return 0;
}

}  // namespace

void add_explain_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "Why two questions are, or are not, duplicates");
  const CLI::Validator valid = whole_number();
  command->add_option("ID", options->ids.first, "A question")->required()->check(valid);
  command->add_option("OTHER", options->ids.second, "Another question")->required()->check(valid);
  CLI::Option* measures = command->add_flag(
      "--measures", options->measures,
      "How near they are by each measure that qdedup near knows, too; this reads the whole bank");
  for (CLI::Option* of_features : add_feature_options(*command, options->features))
    of_features->needs(measures);
  command->callback([options, &chosen] {
    const auto [question, other] = options->ids;
    if (question == other) throw CLI::ValidationError("ID", "name two different questions");
    chosen = {.run = with_options(options, run_explain),
              .inputs = {options->features.stop_words, options->features.weights},
              .goes_by_rules = true};
  });
}

}  // namespace qdedup::cli
