#include "spark/plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json.h"
#include "base/version.h"
#include "markup/compared.h"
#include "refine/contrast.h"
#include "refine/parts.h"
#include "refine/risk_model.h"

namespace qdedup::spark {
namespace {

constexpr int plan_format = 2;

Json settings_of(const Plan& plan) {
  Json settings = {{"format", name_in(miner::line_format_names, plan.shape.format)},
                   {"pointer", plan.shape.pointer},
                   {"id", plan.shape.id},
                   {"score", plan.shape.score},
                   {"quoted_numbers", plan.shape.quoted_numbers},
                   {"by_score", plan.shape.by_score},
                   {"max_line_bytes", plan.max_line_bytes},
                   {"min_top_score", plan.selection.min_top_score},
                   {"min_score", plan.selection.min_score},
                   {"max_cluster_size", plan.merge.max_cluster_size},
                   {"markup", name(plan.text.markup)},
                   {"numbering", name(plan.text.numbering)},
                   {"figure_text", plan.contrast.figure_text},
                   {"short_text", plan.contrast.short_text}};
  refine::add_settings(plan.refine, settings);
  return settings;
}

void read_settings(const nlohmann::json& settings, Plan& plan) {
  const auto text = [&](const char* key) { return settings.at(key).get<std::string>(); };
  const auto read_name = [&](const char* key, const auto& names, auto& target) {
    target = value_in(names, text(key)).value_or(target);
  };
  read_name("format", miner::line_format_names, plan.shape.format);
  plan.shape.pointer = text("pointer");
  plan.shape.id = text("id");
  plan.shape.score = text("score");
  plan.shape.quoted_numbers = settings.at("quoted_numbers").get<bool>();
  plan.shape.by_score = settings.at("by_score").get<bool>();
  plan.max_line_bytes = whole_number(settings.at("max_line_bytes"));
  settings.at("min_top_score").get_to(plan.selection.min_top_score);
  settings.at("min_score").get_to(plan.selection.min_score);
  plan.merge.max_cluster_size = whole_number(settings.at("max_cluster_size"));
  read_name("markup", markup::reading_names, plan.text.markup);
  read_name("numbering", markup::numbering_names, plan.text.numbering);
  plan.refine = refine::recorded_settings(settings);
  plan.contrast.figure_text = whole_number(settings.at("figure_text"));
  plan.contrast.short_text = whole_number(settings.at("short_text"));
  if (nlohmann::json(settings_of(plan)) != settings)
    throw std::invalid_argument("has settings that this version does not know");
}

using PairList = std::pair<const char*, std::vector<engine::ListedPair> engine::ListedPairs::*>;
constexpr std::array<PairList, 3> pair_lists = {{{"open", &engine::ListedPairs::open},
                                                 {"rejected", &engine::ListedPairs::rejected},
                                                 {"verified", &engine::ListedPairs::verified}}};

std::string pair_lines(const engine::ListedPairs& listed) {
  std::string text;
  const auto add = [&](const Json& line) { text += json_text(line) + '\n'; };
  for (const auto& [key, list] : pair_lists) {
    for (const engine::ListedPair& pair : listed.*list) {
      add({{key, Json::array({pair.deletion_id, pair.question, pair.keeper, pair.compared.question,
                              pair.compared.keeper, pair.outlives_keeper})}});
    }
  }
  for (const refine::Deletion& pair : listed.reopened)
    add({{"reopened", Json::array({pair.question, pair.keeper})}});
  return text;
}

std::string known_lines(const std::map<QuestionId, std::uint64_t>& known) {
  std::string text;
  for (const auto& [id, mark] : known) text += json_text({{"known", Json::array({id, mark})}}) + '\n';
  return text;
}

std::string log_lines(const std::vector<LakeLog>& logs) {
  std::string text;
  for (const LakeLog& log : logs)
    text += json_text({{"log", Json::array({log.path, log.bytes, log.content})}}) + '\n';
  return text;
}

engine::ListedPair read_pair(const nlohmann::json& row) {
  return {static_cast<std::int64_t>(whole_number(row.at(0), std::numeric_limits<std::int64_t>::max())),
          question_id(row.at(1)),
          question_id(row.at(2)),
          {whole_number(row.at(3)), whole_number(row.at(4))},
          row.at(5).get<bool>()};
}

// Reads one line after another; the library's exceptions say what is wrong with one.
class PlanReader {
 public:
  void take(const nlohmann::json& line) {
    if (!line.is_object()) throw std::invalid_argument("is no JSON object");
    if (const auto end = line.find("lines"); end != line.end()) {
      is_whole_ = whole_number(*end) == lines_;
      return;
    }
    is_whole_ = false;
    if (lines_++ == 0) return read_head(line);
    for (const auto& [key, list] : pair_lists) {
      if (const auto row = line.find(key); row != line.end())
        return (plan_.listed.*list).push_back(read_pair(*row));
    }
    if (const auto row = line.find("reopened"); row != line.end()) {
      return plan_.listed.reopened.push_back({question_id(row->at(0)), question_id(row->at(1))});
    }
    if (const auto row = line.find("known"); row != line.end()) {
      plan_.known[question_id(row->at(0))] = whole_number(row->at(1));
      return;
    }
    const nlohmann::json& log = line.at("log");
    plan_.logs.push_back(
        {log.at(0).get<std::string>(), whole_number(log.at(1)), log.at(2).get<std::string>()});
  }

  Result<Plan> finish() && {
    if (!is_whole_) return Error{ErrorCode::data, "the plan was cut off"};
    return std::move(plan_);
  }

 private:
  void read_head(const nlohmann::json& head) {
    if (head.at("qdedup_spark_plan") != plan_format)
      throw std::invalid_argument("is no plan of this version");
    head.at("version").get_to(plan_.version);
    head.at("rules").get_to(plan_.rules);
    plan_.iteration = whole_number(head.at("iteration"));
    read_settings(head.at("settings"), plan_);
    Result<refine::RiskModel> model =
        refine::RiskModel::read("weights", head.at("weights").get<std::string>());
    if (!model.ok()) throw std::invalid_argument(model.error().message);
    plan_.contrast.model = std::make_shared<const refine::RiskModel>(*std::move(model));
  }

  Plan plan_;
  std::size_t lines_ = 0;
  bool is_whole_ = false;
};

std::string hash_of(std::string_view text) { return std::to_string(refine::text_hash(text)); }

}  // namespace

std::string text_of(const Plan& plan) {
  std::string text = json_text({{"qdedup_spark_plan", plan_format},
                                {"version", plan.version},
                                {"rules", plan.rules},
                                {"iteration", plan.iteration},
                                {"settings", settings_of(plan)},
                                {"weights", refine::model_of(plan.contrast).text()}}) +
                     '\n';
  text += pair_lines(plan.listed) + known_lines(plan.known) + log_lines(plan.logs);
  return text + json_text({{"lines", std::ranges::count(text, '\n')}}) + '\n';
}

Result<Plan> read_plan(std::string_view text) {
  PlanReader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view row = take_until(text, '\n');
    Status taken = read_json(row, [&](const nlohmann::json& line) { reader.take(line); });
    if (!taken.ok())
      return std::move(taken).error().within("line " + std::to_string(number) + " of the plan");
  }
  return std::move(reader).finish();
}

PlanMarks marks_of(const Plan& plan) {
  return {{"version", plan.version},
          {"rules", plan.rules},
          {"settings", hash_of(json_text(settings_of(plan)))},
          {"weights", refine::model_of(plan.contrast).name()},
          {"listed pairs", hash_of(pair_lines(plan.listed))},
          {"listed questions", hash_of(known_lines(plan.known))},
          {"consumed logs", hash_of(log_lines(plan.logs))},
          {"newest iteration", std::to_string(plan.iteration)}};
}

Status expect_same(const PlanMarks& marks, const Plan& plan) {
  for (const auto& [subject, mark] : marks_of(plan)) {
    const auto found = marks.find(subject);
    if (found != marks.end() && found->second == mark) continue;
    return Error{ErrorCode::data,
                 "the draft was made from another plan: since then the " + subject +
                     " changed. Nothing was committed; begin again with `qdedup spark plan`"};
  }
  return {};
}

Status expect_own(const Plan& plan) {
  const auto differs = [](const std::string& what, const std::string& plan_has, const std::string& own) {
    return Error{ErrorCode::data, "the plan was made with the " + what + " \"" + plan_has +
                                      "\", but the package here has \"" + own +
                                      "\": install the wheel that belongs to the program"};
  };
  if (plan.version != program_version()) return differs("version", plan.version, program_version());
  const std::string rules = markup::rules_version(plan.text);
  if (plan.rules != rules) return differs("rules", plan.rules, rules);
  return {};
}

}  // namespace qdedup::spark
