#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "base/containers.h"
#include "engine/decide.h"
#include "engine/in_memory.h"
#include "engine/revalidation.h"
#include "markup/compared.h"
#include "python/columns.h"
#include "refine/character_counts.h"
#include "spark/draft.h"
#include "spark/plan.h"

// What qdedup/spark.py and its parts run on a cluster.
namespace qdedup::python {

template <class T>
T expect(Result<T> result) {
  if (!result.ok()) throw DataError(result.error().message);
  return *std::move(result);
}
inline void expect(const Status& status) {
  if (!status.ok()) throw DataError(status.error().message);
}

inline std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// The plan of a run, with what the bank says about it. Everything that the job does by the rules is here.
class Job {
 public:
  Job(std::string_view plan, std::string run) : run_(std::move(run)), plan_(expect(spark::read_plan(plan))) {
    expect(spark::expect_own(plan_));
  }

  // What goes to the tasks.
  struct State {
    std::string plan;  // without the questions that the state knows, which the driver alone needs
    std::string run;
    std::map<QuestionId, std::uint64_t> present;
    refine::CharacterCounts characters;
  };
  [[nodiscard]] State state() const {
    spark::Plan plan = plan_;
    plan.known.clear();
    return {spark::text_of(plan), run_, present_, characters_};
  }
  explicit Job(State state) : Job(state.plan, std::move(state.run)) {
    know(std::move(state.present), std::move(state.characters));
  }

  // The same settings and no past, for tasks that decide nothing: it is small however many pairs are listed.
  [[nodiscard]] Job without_past() const {
    Job job = *this;
    job.plan_.listed = {};
    job.plan_.known.clear();
    job.plan_.logs.clear();
    job.know({}, {});
    return job;
  }

  void know(std::map<QuestionId, std::uint64_t> present, refine::CharacterCounts characters) {
    present_ = std::move(present);
    characters_ = std::move(characters);
    past_ =
        expect(engine::revalidate(plan_.listed, [&](QuestionId id) -> Result<std::optional<std::uint64_t>> {
          const auto found = present_.find(id);
          return found == present_.end() ? std::nullopt : std::optional(found->second);
        })).past;
  }

  // Those questions of the bank, by their marks, that the plan does not know as they are.
  [[nodiscard]] std::vector<QuestionId> unknown_ids(const std::map<QuestionId, std::uint64_t>& marks) const {
    std::vector<QuestionId> unknown;
    for (const auto& [id, mark] : marks) {
      const auto known = plan_.known.find(id);
      if (known == plan_.known.end() || known->second != mark) unknown.push_back(id);
    }
    return unknown;
  }

  void know_question(QuestionId id, std::string_view text, std::optional<std::string_view> answer) {
    unknown_[id] = spark::draft_question(id, text, answer, markup::compared(text, answer, plan_.text));
  }

  [[nodiscard]] const spark::Plan& plan() const { return plan_; }
  [[nodiscard]] const std::string& run() const { return run_; }
  [[nodiscard]] const engine::Past& past() const { return past_; }
  [[nodiscard]] const refine::CharacterCounts& characters() const { return characters_; }
  [[nodiscard]] engine::Measure measure() const { return {{plan_.refine, plan_.contrast}, characters_}; }

  // The lines of the draft that only the bank is needed for.
  [[nodiscard]] std::vector<std::string> head_lines(bool is_sweep) const {
    std::vector<std::string> lines;
    for (const auto& [id, hash] : present_) {
      const auto unknown = unknown_.find(id);
      lines.push_back(spark::present_line(
          id, hash, unknown == unknown_.end() ? std::nullopt : std::optional(unknown->second)));
    }
    lines.push_back(spark::line_of(
        spark::DraftHead{run_, is_sweep, spark::marks_of(plan_), characters_.questions(), present_.size()}));
    return lines;
  }

 private:
  std::string run_;
  spark::Plan plan_;
  std::map<QuestionId, std::uint64_t> present_;
  std::map<QuestionId, spark::DraftQuestion> unknown_;
  refine::CharacterCounts characters_;
  engine::Past past_;
};

// What is compared of questions: columns of one length, of which `texts` has no null.
std::vector<markup::Compared> compared(const TextColumn& texts, const TextColumn& answers,
                                       const markup::Options& options);

// The logs that lines of the draft tell of, without those of which there is nothing to take.
std::vector<spark::MinedLakeLog> taken_logs(const Job& job, const std::vector<std::string>& lines);

// Throws if rows are missing.
void expect_all_rows(std::int64_t found, std::int64_t expected);

// Questions of the bank, with what is compared of them.
class BucketQuestions {
 public:
  BucketQuestions(nb::handle texts, nb::handle answers)
      : texts_(texts, "texts"), answers_(answers, "answers") {}

  [[nodiscard]] bool has_text(std::size_t row) const { return texts_[row].has_value(); }

  // The ids and rows of questions with a text, in any order; a question may be there twice.
  void take(std::vector<std::pair<QuestionId, std::size_t>> rows, const markup::Options& options) {
    sort_unique(rows);
    const auto same_id = std::ranges::unique(rows, {}, &std::pair<QuestionId, std::size_t>::first);
    rows.erase(same_id.begin(), same_id.end());
    for (const auto& [id, row] : rows) {
      ids_.push_back(id);
      rows_.push_back(row);
      compared_.push_back(markup::compared(*texts_[row], answers_[row], options));
    }
  }

  // By id; valid as long as this object.
  [[nodiscard]] std::vector<engine::IdentifiedText> identified() const {
    std::vector<engine::IdentifiedText> questions;
    for (std::size_t i = 0; i < ids_.size(); ++i)
      questions.push_back({ids_[i], {compared_[i].text, compared_[i].answer}});
    return questions;
  }

  // The questions of its pairs.
  [[nodiscard]] std::vector<spark::DraftQuestion> in_pairs_of(const refine::AnnotatedOutcome& outcome) const {
    std::vector<QuestionId> ids;
    for (const auto* const pairs : {&outcome.deletions, &outcome.repointed, &outcome.further}) {
      for (const refine::AnnotatedDeletion& pair : *pairs)
        ids.insert(ids.end(), {pair.question, pair.keeper});
    }
    sort_unique(ids);
    std::vector<spark::DraftQuestion> questions;
    for (const QuestionId id : ids) {
      const auto i = static_cast<std::size_t>(std::ranges::lower_bound(ids_, id) - ids_.begin());
      questions.push_back(spark::draft_question(id, *texts_[rows_[i]], answers_[rows_[i]], compared_[i]));
    }
    return questions;
  }

 private:
  TextColumn texts_;
  TextColumn answers_;
  std::vector<QuestionId> ids_;  // ascending
  std::vector<std::size_t> rows_;
  std::vector<markup::Compared> compared_;
};

void define_spark_job(nb::module_& module);
void define_spark_merge(nb::module_& module, nb::class_<Job>& job);
void define_spark_sweep(nb::class_<Job>& job);

}  // namespace qdedup::python
