#include "spark/draft.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "refine/parts.h"

namespace qdedup::spark {
namespace {

constexpr int draft_format = 2;
constexpr const char* mend = ". Nothing was committed; run `qdedup-spark` again, into a new folder";

using Rows = std::vector<refine::AnnotatedDeletion> refine::AnnotatedOutcome::*;
constexpr std::array<std::pair<const char*, Rows>, 3> row_kinds = {
    {{"deletion", &refine::AnnotatedOutcome::deletions},
     {"repointed", &refine::AnnotatedOutcome::repointed},
     {"further", &refine::AnnotatedOutcome::further}}};

constexpr std::array<std::pair<const char*, std::uint64_t miner::MergeCounts::*>, 7> merge_counts = {
    {{"lists", &miner::MergeCounts::lists},
     {"distinct_lists", &miner::MergeCounts::distinct_lists},
     {"ids", &miner::MergeCounts::ids},
     {"joins", &miner::MergeCounts::joins},
     {"refused_joins", &miner::MergeCounts::refused_joins},
     {"clusters", &miner::MergeCounts::clusters},
     {"largest_cluster", &miner::MergeCounts::largest_cluster}}};

MinedLakeLog log_of(const nlohmann::json& line) {
  MinedLakeLog log;
  line.at("log").get_to(log.log.path);
  log.log.bytes = whole_number(line.at("bytes"));
  line.at("content").get_to(log.log.content);
  log.totals.lines = whole_number(line.at("lines"));
  log.totals.selected = whole_number(line.at("selected"));
  log.totals.unselected = whole_number(line.at("unselected"));
  for (const auto& [reason, lines] : line.at("rejected").get_ref<const nlohmann::json::object_t&>())
    log.totals.rejected[reason] = whole_number(lines);
  if (log.totals.lines != log.totals.selected + log.totals.unselected + log.totals.rejected_total())
    throw std::invalid_argument("the lines of " + log.log.path + " do not add up");
  return log;
}

refine::AnnotatedDeletion row_of(const nlohmann::json& row) {
  const auto confidence = refine::confidence_named(row.at(5).get<std::string>());
  if (!confidence) throw std::invalid_argument("there is no such confidence");
  refine::AnnotatedDeletion read{
      .question = question_id(row.at(1)),
      .keeper = question_id(row.at(2)),
      .distance = whole_number(row.at(3)),
      .length = whole_number(row.at(4)),
      .confidence = *confidence,
      .reasons = refine::Reasons(row.at(6).get<std::string>()),
      .risk = refine::Risk(static_cast<int>(whole_number(row.at(7), refine::Risk::certain))),
      .question_hash = whole_number(row.at(8)),
      .keep_hash = whole_number(row.at(9)),
      .by_sets = row.at(10).get<bool>()};
  if (read.question <= read.keeper) throw std::invalid_argument("a keeper must be smaller than its question");
  return read;
}

Json fields_of(const DraftQuestion& question) {
  const auto field = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(); };
  return Json::array({question.id, question.text, field(question.answer), field(question.original_text),
                      field(question.original_answer)});
}

void expect_once(QuestionId question, bool is_first) {
  if (!is_first) throw std::invalid_argument("question " + std::to_string(question) + " is there twice");
}

DraftQuestion question_of(const nlohmann::json& fields) {
  const auto field = [&](std::size_t i) {
    return fields.at(i).is_null() ? std::nullopt : std::optional(fields.at(i).get<std::string>());
  };
  return {question_id(fields.at(0)), fields.at(1).get<std::string>(), field(2), field(3), field(4)};
}

// The first question that two rows list.
std::optional<QuestionId> listed_twice(const refine::AnnotatedOutcome& outcome) {
  const auto twice = std::ranges::adjacent_find(outcome.deletions, {}, &refine::AnnotatedDeletion::question);
  if (twice == outcome.deletions.end()) return std::nullopt;
  return twice->question;
}

}  // namespace

Result<std::vector<MinedLakeLog>> logs_to_take(std::vector<MinedLakeLog> logs,
                                               const std::vector<LakeLog>& consumed) {
  std::map<std::string, std::string> content_of;  // by path
  std::map<std::string, std::string> path_of;     // by content
  for (const LakeLog& log : consumed) {
    content_of[log.path] = log.content;
    path_of[log.content] = log.path;
  }
  std::ranges::sort(logs, {}, [](const MinedLakeLog& log) { return log.log.path; });
  std::vector<MinedLakeLog> taken;
  for (MinedLakeLog& log : logs) {
    const auto before = content_of.find(log.log.path);
    if (before != content_of.end() && before->second != log.log.content) {
      return Error{ErrorCode::data, log.log.path +
                                        ": was consumed before, with other content. Logs in a lake must be "
                                        "complete when they are read: write what is new to another file"};
    }
    if (log.totals.lines == 0 || !path_of.emplace(log.log.content, log.log.path).second) continue;
    taken.push_back(std::move(log));
  }
  return taken;
}

std::string line_of(const DraftHead& head) {
  return json_text({{"qdedup_spark_draft", draft_format},
                    {"run", head.run},
                    {"kind", head.is_sweep ? "sweep" : "logs"},
                    {"plan", head.plan},
                    {"questions", head.questions},
                    {"present_texts", head.present}});
}

std::string line_of(const MergeSummary& merge) {
  Json counts = Json::object();
  for (const auto& [name, count] : merge_counts) counts[name] = merge.counts.*count;
  Json sizes = Json::array();
  for (const auto& [size, clusters] : merge.cluster_sizes) sizes.push_back({size, clusters});
  return json_text({{"merge", std::move(counts)},
                    {"run", merge.run},
                    {"cluster_sizes", std::move(sizes)},
                    {"buckets", merge.buckets},
                    {"logs", merge.logs}});
}

std::string line_of(const MinedLakeLog& log) {
  return json_text({{"log", log.log.path},
                    {"bytes", log.log.bytes},
                    {"content", log.log.content},
                    {"lines", log.totals.lines},
                    {"selected", log.totals.selected},
                    {"unselected", log.totals.unselected},
                    {"rejected", log.totals.rejected}});
}

DraftQuestion draft_question(QuestionId id, std::string_view text, std::optional<std::string_view> answer,
                             const markup::Compared& compared) {
  DraftQuestion question{id, compared.text, compared.answer, std::nullopt, std::nullopt};
  if (text != compared.text) question.original_text = text;
  if (answer && *answer != compared.answer) question.original_answer = *answer;
  return question;
}

std::uint64_t mark_of(const DraftQuestion& question) {
  return refine::text_hash(json_text(fields_of(question)));
}

std::string present_line(QuestionId id, std::uint64_t hash, const std::optional<DraftQuestion>& unknown) {
  Json line = {{"present", Json::array({id, hash})}};
  if (unknown) line["question"] = fields_of(*unknown);
  return json_text(line);
}

std::vector<std::string> lines_of(const refine::AnnotatedOutcome& outcome,
                                  const std::vector<DraftQuestion>& questions, std::uint64_t bucket,
                                  const std::string& merge_run) {
  std::vector<std::string> lines;
  Json counts = Json::array();
  for (const auto& [kind, rows] : row_kinds) {
    counts.push_back((outcome.*rows).size());
    for (const refine::AnnotatedDeletion& row : outcome.*rows) {
      lines.push_back(
          json_text({{kind, Json::array({bucket, row.question, row.keeper, row.distance, row.length,
                                         name(row.confidence), row.reasons.text(), row.risk.ten_thousandths(),
                                         row.question_hash, row.keep_hash, row.by_sets})}}));
    }
  }
  counts.push_back(questions.size());
  for (const DraftQuestion& question : questions)
    lines.push_back(json_text({{"question", fields_of(question)}, {"of", bucket}}));
  lines.push_back(json_text({{"bucket", bucket},
                             {"run", merge_run},
                             {"rows", std::move(counts)},
                             {"missing", outcome.missing},
                             {"held", outcome.held}}));
  return lines;
}

Result<MinedLakeLog> read_log(std::string_view line) {
  MinedLakeLog log;
  QDEDUP_TRY(read_json(line, [&](const nlohmann::json& json) { log = log_of(json); }));
  return log;
}

Status DraftReader::take(std::string_view line) {
  Status taken = read_json(line, [&](const nlohmann::json& json) { read(json); });
  if (taken.ok()) return taken;
  return Error{ErrorCode::data, "is no line of a complete draft: " + taken.error().message + mend};
}

void DraftReader::read(const nlohmann::json& line) {
  if (!line.is_object()) throw std::invalid_argument("is no JSON object");
  for (std::size_t kind = 0; kind < row_kinds.size(); ++kind) {
    const auto row = line.find(row_kinds[kind].first);
    if (row == line.end()) continue;
    take_row(kind, row_of(*row));
    ++buckets_[whole_number(row->at(0))].found[kind];
    return;
  }
  if (line.contains("bucket")) return read_bucket(line);
  if (line.contains("merge")) return read_merge(line);
  if (line.contains("log")) {
    MinedLakeLog log = log_of(line);
    if (!paths_.insert(log.log.path).second) throw std::invalid_argument(log.log.path + " is there twice");
    return draft_.logs.push_back(std::move(log));
  }
  if (const auto present = line.find("present"); present != line.end()) {
    const QuestionId id = question_id(present->at(0));
    expect_once(id, draft_.present.emplace(id, whole_number(present->at(1))).second);
    if (const auto unknown = line.find("question"); unknown != line.end()) take_question(*unknown);
    return;
  }
  if (const auto question = line.find("question"); question != line.end()) {
    Bucket& bucket = buckets_[whole_number(line.at("of"))];
    const QuestionId id = take_question(*question);
    expect_once(id, bucket.questions.insert(id).second);
    ++bucket.found[row_kinds.size()];
    return;
  }
  if (line.at("qdedup_spark_draft") != draft_format)
    throw std::invalid_argument("is no draft of this version");
  ++heads_;
  line.at("run").get_to(draft_.head.run);
  const auto kind = line.at("kind").get<std::string>();
  if (kind != "logs" && kind != "sweep") throw std::invalid_argument("there is no such kind of draft");
  draft_.head.is_sweep = kind == "sweep";
  line.at("plan").get_to(draft_.head.plan);
  draft_.head.questions = whole_number(line.at("questions"));
  draft_.head.present = whole_number(line.at("present_texts"));
}

// What is there twice is refused at once, as a few packed bytes may repeat it without end.
void DraftReader::take_row(std::size_t kind, const refine::AnnotatedDeletion& row) {
  if (!pairs_.at(kind).emplace(row.question, row.keeper).second)
    throw std::invalid_argument("the row of question " + std::to_string(row.question) + " is there twice");
  (draft_.outcome.*row_kinds.at(kind).second).push_back(row);
}

QuestionId DraftReader::take_question(const nlohmann::json& fields) {
  DraftQuestion question = question_of(fields);
  const QuestionId id = question.id;
  draft_.questions[id] = std::move(question);
  return id;
}

void DraftReader::read_merge(const nlohmann::json& merge) {
  ++merges_;
  for (const auto& [name, count] : merge_counts)
    draft_.merge.counts.*count = whole_number(merge.at("merge").at(name));
  merge.at("run").get_to(draft_.merge.run);
  for (const nlohmann::json& size : merge.at("cluster_sizes"))
    draft_.merge.cluster_sizes[whole_number(size.at(0))] = whole_number(size.at(1));
  draft_.merge.buckets = whole_number(merge.at("buckets"));
  draft_.merge.logs = whole_number(merge.at("logs"));
}

void DraftReader::read_bucket(const nlohmann::json& summary) {
  Bucket& bucket = buckets_[whole_number(summary.at("bucket"))];
  ++bucket.summaries;
  summary.at("run").get_to(bucket.run);
  for (std::size_t i = 0; i < bucket.said.size(); ++i)
    bucket.said.at(i) = whole_number(summary.at("rows").at(i));
  draft_.outcome.missing += whole_number(summary.at("missing"));
  draft_.outcome.held += whole_number(summary.at("held"));
}

Result<Draft> DraftReader::finish() && {
  draft_.outcome.sort();
  std::ranges::sort(draft_.logs, {}, [](const MinedLakeLog& log) { return log.log.path; });
  std::string what = missing();
  if (const auto question = listed_twice(draft_.outcome); what.empty() && question)
    what = "question " + std::to_string(*question) + " is listed twice";
  if (what.empty()) return std::move(draft_);
  return Error{ErrorCode::data, "is no complete draft: " + what + mend};
}

// What keeps it from being complete; empty if nothing does.
std::string DraftReader::missing() const {
  const auto expect = [](const char* what, std::uint64_t expected, std::uint64_t found) {
    if (expected == found) return std::string();
    return std::to_string(found) + " " + what + " instead of " + std::to_string(expected);
  };
  std::string what = expect("heads", 1, heads_);
  if (what.empty()) what = expect("summaries of the merge", 1, merges_);
  if (what.empty() && !draft_.merge.run.starts_with(draft_.head.run + '.')) what = "parts of two runs";
  if (what.empty()) what = expect("logs", draft_.merge.logs, draft_.logs.size());
  if (what.empty()) what = expect("present texts", draft_.head.present, draft_.present.size());
  if (what.empty()) what = expect("buckets", draft_.merge.buckets, buckets_.size());
  for (const auto& [number, bucket] : buckets_) {
    if (!what.empty()) break;
    const std::string name = "bucket " + std::to_string(number);
    if (number >= draft_.merge.buckets) {
      what = name + " is beyond the last one";
    } else if (bucket.summaries != 1) {
      what = name + " has " + std::to_string(bucket.summaries) + " summaries";
    } else if (bucket.run != draft_.merge.run) {
      what = name + " is of another run";
    } else if (bucket.said != bucket.found) {
      what = "rows of " + name + " are missing, or there twice";
    }
  }
  return what;
}

}  // namespace qdedup::spark
