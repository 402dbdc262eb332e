#include "python/spark_job.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/sort_unique.h"
#include "engine/in_memory.h"
#include "engine/revalidation.h"
#include "logs/line_cutter.h"
#include "markup/compared.h"
#include "miner/clusters.h"
#include "miner/evidence_chunk.h"
#include "miner/log_block.h"
#include "python/column_class.h"
#include "python/columns.h"
#include "refine/character_counts.h"
#include "refine/parts.h"
#include "spark/buckets.h"
#include "spark/draft.h"
#include "spark/plan.h"
#include "spark/sweep.h"

namespace qdedup::python {
namespace {

template <class T>
T expect(Result<T> result) {
  if (!result.ok()) throw DataError(result.error().message);
  return *std::move(result);
}
void expect(const Status& status) {
  if (!status.ok()) throw DataError(status.error().message);
}

// Rows of a bucket are (bucket, cluster, id), all of them ids to Arrow: these are the kinds of rows by
// `cluster`, of which a member of cluster i has first_cluster + i.
enum RowKind : std::int64_t { row_count = 1, inputs_hash = 2, no_cluster = 3, first_cluster = 4 };

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// The plan of a run, with what the bank says about it. Everything that the job does by the rules is here.
class Job {
 public:
  Job(const nb::bytes& plan, std::string run)
      : text_(view_of(plan)), run_(std::move(run)), plan_(expect(spark::read_plan(text_))) {
    expect(spark::expect_own(plan_));
  }

  struct State {
    std::string plan;
    std::string run;
    std::map<QuestionId, std::uint64_t> present;
    refine::CharacterCounts characters;
  };
  [[nodiscard]] State state() const { return {text_, run_, present_, characters_}; }
  explicit Job(State state)
      : text_(std::move(state.plan)), run_(std::move(state.run)), plan_(expect(spark::read_plan(text_))) {
    expect(spark::expect_own(plan_));
    know(std::move(state.present), std::move(state.characters));
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

  // Those questions that are in the bank, but no longer with a text that the plan knows.
  [[nodiscard]] std::vector<QuestionId> changed_ids() const {
    std::map<QuestionId, std::vector<std::uint64_t>> known;
    for (const auto* const list : {&plan_.listed.open, &plan_.listed.rejected, &plan_.listed.verified}) {
      for (const engine::ListedPair& pair : *list) {
        known[pair.question].push_back(pair.compared.question);
        known[pair.keeper].push_back(pair.compared.keeper);
      }
    }
    std::vector<QuestionId> changed;
    for (const auto& [id, hash] : present_) {
      if (std::ranges::count(known[id], hash) == 0) changed.push_back(id);
    }
    return changed;
  }

  void know_changed(QuestionId id, std::string_view text, std::optional<std::string_view> answer) {
    changed_[id] = spark::draft_question(id, text, answer, markup::compared(text, answer, plan_.text));
  }

  [[nodiscard]] const spark::Plan& plan() const { return plan_; }
  [[nodiscard]] const std::string& run() const { return run_; }
  [[nodiscard]] const engine::Past& past() const { return past_; }
  [[nodiscard]] const refine::CharacterCounts& characters() const { return characters_; }
  [[nodiscard]] engine::Measure measure() const { return {{plan_.refine, plan_.contrast}, characters_}; }

  // The lines of the draft that only the bank is needed for.
  [[nodiscard]] std::vector<std::string> head_lines(spark::DraftKind kind) const {
    std::vector<std::string> lines;
    for (const auto& [id, hash] : present_) {
      const auto changed = changed_.find(id);
      lines.push_back(spark::present_line(
          id, hash, changed == changed_.end() ? std::nullopt : std::optional(changed->second)));
    }
    lines.push_back(spark::line_of(
        spark::DraftHead{run_, kind, spark::marks_of(plan_), characters_.questions(), present_.size()}));
    return lines;
  }

 private:
  std::string text_;
  std::string run_;
  spark::Plan plan_;
  std::map<QuestionId, std::uint64_t> present_;
  std::map<QuestionId, spark::DraftQuestion> changed_;
  refine::CharacterCounts characters_;
  engine::Past past_;
};

// What is compared of questions: columns of one length, of which `texts` has no null.
std::vector<markup::Compared> compared(const TextColumn& texts, const std::optional<TextColumn>& answers,
                                       const markup::Options& options) {
  std::vector<markup::Compared> all;
  all.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) throw DataError("texts[" + std::to_string(i) + "]: is missing");
    all.push_back(markup::compared(*texts[i], answers ? (*answers)[i] : std::nullopt, options));
  }
  return all;
}

void expect_no_long_question(const TextColumn& texts, const TextColumn& answers) {
  if (texts.size() != answers.size())
    throw DataError("answers: must be as many as texts, with null for none");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::size_t bytes = texts[i].value_or("").size() + answers[i].value_or("").size();
    if (bytes <= spark::max_question_bytes) continue;
    throw DataError("texts[" + std::to_string(i) + "]: has " + std::to_string(bytes) +
                    " bytes, with its answer; the most is 16 MiB, as for `qdedup import`. Shorten it, or "
                    "leave it out of the bank");
  }
}

// In how many questions of a part of the bank each character occurs. Also checks ids, texts and answers.
refine::CharacterCounts count_characters(const Job& job, const nb::object& ids, const nb::object& texts,
                                         const nb::object& answers) {
  const IdColumn checked(ids, "ids");
  const TextColumn column(texts, "texts");
  expect_no_long_question(column, TextColumn(answers, "answers"));
  refine::CharacterCounts characters;
  const nb::gil_scoped_release no_gil;
  for (const markup::Compared& question : compared(column, {}, job.plan().text))
    characters.add(question.text);
  return characters;
}

nb::object hash_texts(const Job& job, const nb::object& ids, const nb::object& texts) {
  const IdColumn questions(ids, "ids");
  const TextColumn column_of_texts(texts, "texts");
  std::vector<std::int64_t> hashes;
  for (const markup::Compared& question : compared(column_of_texts, {}, job.plan().text))
    hashes.push_back(static_cast<std::int64_t>(refine::text_hash(question.text)));
  return column(ArrowColumn::record(
      {{"id", ArrowColumn::of(std::vector<std::int64_t>(questions.ids().begin(), questions.ids().end()))},
       {"hash", ArrowColumn::of(std::move(hashes))}}));
}

// Mines a log whose bytes come piece by piece, unpacked.
class LogMiner {
 public:
  explicit LogMiner(const Job& job)
      : parser_(expect(miner::LineParser::create(job.plan().shape))),
        selection_(job.plan().selection),
        cutter_(job.plan().max_line_bytes) {}

  // Returns the seed lists so far, as evidence, once there are many of them; else nothing.
  nb::bytes add(const nb::bytes& bytes) {
    std::string_view left = view_of(bytes);
    {
      const nb::gil_scoped_release no_gil;
      while (!left.empty()) {
        const std::span<char> room = cutter_.room(block_bytes);
        const std::size_t count = std::min(room.size(), left.size());
        std::memcpy(room.data(), left.data(), count);
        cutter_.added(count);
        left.remove_prefix(count);
        while (const auto block = cutter_.cut()) take(*block);
      }
    }
    return lists_.all_ids().size() < many_ids ? nb::bytes("", 0) : evidence();
  }

  // The rest of the seed lists, and the draft's line about the log. A last line without newline is no line.
  std::pair<nb::bytes, std::string> finish(const std::string& path, std::uint64_t bytes,
                                           const std::string& content) {
    if (const auto rest = cutter_.finish()) take(*rest);
    spark::MinedLakeLog log{{path, bytes, content}, counts_.lines, counts_.selected, counts_.unselected, 0};
    for (const std::uint64_t rejected : counts_.rejected) log.rejected += rejected;
    return {lists_.size() > 0 ? evidence() : nb::bytes("", 0), spark::line_of(log)};
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t many_ids = 2'000'000;

  void take(const logs::LineBlock& block) {
    miner::mine_block(block.lines, parser_, selection_, lists_, counts_);
    counts_.lines += block.too_long_lines;
    counts_.rejected[static_cast<std::size_t>(miner::Rejection::too_long)] += block.too_long_lines;
  }

  nb::bytes evidence() {
    const std::string chunk = miner::encode_evidence(lists_);
    lists_.clear();
    return nb::bytes(chunk.data(), chunk.size());
  }

  miner::LineParser parser_;
  miner::SelectionSettings selection_;
  logs::LineCutter cutter_;
  miner::SeedLists lists_;
  miner::LineCounts counts_;
};

std::vector<spark::MinedLakeLog> taken_logs(const Job& job, const std::vector<std::string>& lines) {
  std::vector<spark::MinedLakeLog> logs;
  for (const std::string& line : lines) logs.push_back(expect(spark::read_log(line)));
  return expect(spark::logs_to_take(std::move(logs), job.plan().logs));
}

std::vector<std::string> paths_to_take(const Job& job, const std::vector<std::string>& lines) {
  std::vector<std::string> paths;
  for (const spark::MinedLakeLog& log : taken_logs(job, lines)) paths.push_back(log.log.path);
  return paths;
}

// All clusters of a run, in buckets.
class MergedBuckets {
 public:
  // `chunks()` iterates over the evidence of the logs that are taken; it is called more than once.
  MergedBuckets(const Job& job, const nb::callable& chunks, const std::vector<std::string>& log_lines,
                std::size_t ids_per_bucket, std::uint64_t memory_bytes)
      : logs_(mergeable(taken_logs(job, log_lines))),
        run_(job.run()),
        clusters_(merged(job.plan(), chunks, memory_bytes)),
        past_(job.past()),
        list_(clusters_, past_.reopened),
        buckets_(list_, past_.open, ids_per_bucket) {
    std::string inputs;
    for (const spark::MinedLakeLog& log : logs_) inputs += spark::line_of(log) + '\n';
    inputs_ = static_cast<std::int64_t>((refine::text_hash(inputs) >> 1U) | 1U);
  }

  // The rows of the next bucket; None at the end.
  nb::object next() {
    const auto members = buckets_.next();
    if (!members) return nb::none();
    ++count_;
    const auto size = static_cast<std::int64_t>(members->size());
    std::vector<std::int64_t> clusters = {row_count, inputs_hash};
    std::vector<std::int64_t> ids = {size, inputs_};
    for (const spark::Member& member : *members) {
      clusters.push_back(member.cluster == spark::Member::in_no_cluster ? std::int64_t{no_cluster}
                                                                        : first_cluster + member.cluster);
      ids.push_back(member.id);
    }
    std::vector<std::int64_t> numbers(ids.size(), count_);
    return column(ArrowColumn::record({{"bucket", ArrowColumn::of(std::move(numbers))},
                                       {"cluster", ArrowColumn::of(std::move(clusters))},
                                       {"id", ArrowColumn::of(std::move(ids))}}));
  }

  // The draft's lines about logs and merge, after the last bucket.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const spark::MinedLakeLog& log : logs_) lines.push_back(spark::line_of(log));
    lines.push_back(spark::line_of(spark::MergeSummary{run_ + "." + std::to_string(inputs_),
                                                       clusters_.counts(), clusters_.sizes(),
                                                       static_cast<std::uint64_t>(count_), logs_.size()}));
    return lines;
  }

 private:
  static std::vector<spark::MinedLakeLog> mergeable(std::vector<spark::MinedLakeLog> logs) {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    std::uint64_t lists = 0;
    for (const spark::MinedLakeLog& log : logs) lists += log.selected;
    if (lists > most) {
      throw DataError("the logs have " + std::to_string(lists) + " selected lists; one task merges " +
                      std::to_string(most) + " at most: raise min_top_score, or read the logs in parts");
    }
    return logs;
  }

  static miner::Clusters merged(const spark::Plan& plan, const nb::callable& chunks,
                                std::uint64_t memory_bytes) {
    constexpr std::uint64_t usual_bytes_per_id = 5;
    std::uint64_t bytes = 0;
    for (const nb::handle chunk : chunks()) bytes += nb::cast<nb::bytes>(chunk).size();
    const miner::MergeBudget budget{.id_occurrences = bytes / usual_bytes_per_id,
                                    .memory_bytes = memory_bytes};
    const miner::ListSource source = [&](const auto& take) -> Status {
      miner::SeedLists lists;
      for (const nb::handle chunk : chunks()) {
        lists.clear();
        QDEDUP_TRY(miner::decode_evidence(view_of(nb::cast<nb::bytes>(chunk)), lists));
        take(lists);
      }
      return {};
    };
    return expect(miner::merge(source, plan.merge, budget, [](const auto&...) {}));
  }

  std::vector<spark::MinedLakeLog> logs_;
  std::string run_;
  miner::Clusters clusters_;
  const engine::Past& past_;
  engine::ClusterList list_;
  spark::Buckets buckets_;
  std::int64_t inputs_ = 0;
  std::int64_t count_ = 0;
};

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

void expect_all_rows(std::int64_t found, std::int64_t expected) {
  if (found == expected) return;
  throw DataError("the rows of one bucket came to more than one task: " + std::to_string(found) + " of " +
                  std::to_string(expected));
}

// The rows of one bucket, with the texts of those ids that are in the bank.
class Bucket {
 public:
  Bucket(const Job& job, nb::handle clusters, nb::handle ids, nb::handle texts, nb::handle answers)
      : questions_(texts, answers) {
    const IdColumn kinds(clusters, "clusters");
    const IdColumn members(ids, "ids");
    std::map<std::int64_t, std::vector<QuestionId>> by_cluster;
    std::optional<std::int64_t> expected;
    std::vector<std::pair<QuestionId, std::size_t>> rows;
    std::int64_t count = 0;
    for (std::size_t i = 0; i < kinds.ids().size(); ++i) {
      const QuestionId id = members.ids()[i];
      switch (kinds.ids()[i]) {
        case row_count:
          if (expected) throw DataError("a bucket came twice to one task");
          expected = id;
          continue;
        case inputs_hash:
          inputs_ = id;
          continue;
        case no_cluster:
          break;
        default:
          by_cluster[kinds.ids()[i]].push_back(id);
      }
      ++count;
      if (questions_.has_text(i)) rows.emplace_back(id, i);
    }
    if (!expected) throw DataError("a bucket came to more than one task");
    expect_all_rows(count, *expected);
    for (auto& [number, questions] : by_cluster) {
      sort_unique(questions);
      clusters_.push_back(std::move(questions));
    }
    questions_.take(std::move(rows), job.plan().text);
  }

  [[nodiscard]] const BucketQuestions& questions() const { return questions_; }
  [[nodiscard]] std::int64_t inputs() const { return inputs_; }

  [[nodiscard]] refine::AnnotatedOutcome decide(const Job& job) const {
    engine::Past past = job.past();
    past.reopened.clear();  // they are clusters of some bucket
    return engine::decide(questions_.identified(), clusters_, past, job.measure());
  }

 private:
  BucketQuestions questions_;
  std::vector<std::vector<QuestionId>> clusters_;  // in their order
  std::int64_t inputs_ = 0;
};

std::vector<std::string> decide_bucket(const Job& job, std::int64_t number, const nb::object& clusters,
                                       const nb::object& ids, const nb::object& texts,
                                       const nb::object& answers) {
  const Bucket bucket(job, clusters, ids, texts, answers);
  const nb::gil_scoped_release no_gil;
  const refine::AnnotatedOutcome outcome = bucket.decide(job);
  return spark::lines_of(outcome, bucket.questions().in_pairs_of(outcome),
                         static_cast<std::uint64_t>(number - 1),
                         job.run() + "." + std::to_string(bucket.inputs()));
}

// Of those questions that are compared: what a sweep groups them by.
nb::object sign_groups(const Job& job, const nb::object& ids, const nb::object& texts) {
  const IdColumn questions(ids, "ids");
  const TextColumn column_of_texts(texts, "texts");
  std::vector<std::int64_t> compared_ids;
  std::vector<std::int64_t> fingerprints;
  std::vector<std::int64_t> lengths;
  const std::vector<markup::Compared> all = compared(column_of_texts, {}, job.plan().text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!refine::is_compared(all[i].text)) continue;
    const refine::Parts parts = refine::parts_of(all[i].text);
    compared_ids.push_back(questions.ids()[i]);
    fingerprints.push_back(static_cast<std::int64_t>(refine::sign_fingerprint(parts)));
    lengths.push_back(static_cast<std::int64_t>(parts.han.size()));
  }
  return column(ArrowColumn::record({{"id", ArrowColumn::of(std::move(compared_ids))},
                                     {"fingerprint", ArrowColumn::of(std::move(fingerprints))},
                                     {"length", ArrowColumn::of(std::move(lengths))}}));
}

using BlockShares = std::vector<std::tuple<std::size_t, std::int64_t, std::int64_t>>;
using BlockPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::pair<BlockShares, BlockPairs> plan_blocks(const Job& job,
                                               const std::map<std::size_t, std::uint64_t>& lengths,
                                               std::size_t questions_per_block) {
  std::vector<spark::LengthCount> counts;
  for (const auto& [length, questions] : lengths) counts.push_back({length, questions});
  spark::BlockPlan plan = spark::plan_blocks(counts, questions_per_block, job.plan().refine);
  BlockShares shares;
  for (const auto& [length, first, count] : plan.shares) shares.emplace_back(length, first, count);
  return {std::move(shares), std::move(plan.pairs)};
}

nb::object pairs_column(const std::string& first, const std::string& second,
                        const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  std::vector<std::int64_t> firsts;
  std::vector<std::int64_t> seconds;
  for (const auto& [a, b] : pairs) {
    firsts.push_back(a);
    seconds.push_back(b);
  }
  return column(ArrowColumn::record(
      {{first, ArrowColumn::of(std::move(firsts))}, {second, ArrowColumn::of(std::move(seconds))}}));
}

nb::object block_edges(const Job& job, std::int64_t rows, const nb::object& blocks, const nb::object& ids,
                       const nb::object& texts) {
  const IdColumn numbers(blocks, "blocks");
  const IdColumn members(ids, "ids");
  const TextColumn column_of_texts(texts, "texts");
  expect_all_rows(static_cast<std::int64_t>(members.ids().size()), rows);
  std::vector<engine::CandidateEdge> edges;
  {
    const nb::gil_scoped_release no_gil;
    std::vector<spark::BlockQuestion> questions;
    for (std::size_t i = 0; i < members.ids().size(); ++i) {
      const markup::Compared text = markup::compared(column_of_texts[i].value(), {}, job.plan().text);
      questions.push_back({members.ids()[i], numbers.ids()[i], refine::parts_of(text.text)});
    }
    edges = spark::duplicate_edges(questions, job.plan().refine);
  }
  return pairs_column("a", "b", edges);
}

nb::object connected_buckets(const nb::object& a, const nb::object& b, std::size_t ids_per_bucket) {
  const IdColumn from(a, "a");
  const IdColumn to(b, "b");
  std::vector<engine::CandidateEdge> edges;
  for (std::size_t i = 0; i < from.ids().size(); ++i) edges.emplace_back(from.ids()[i], to.ids()[i]);
  return pairs_column("bucket", "id", spark::connected_buckets(edges, ids_per_bucket));
}

std::string sweep_run(const Job& job) { return job.run() + ".sweep"; }

// `sizes`: the number of groups by size, from 2 on.
std::string sweep_line(const Job& job, std::uint64_t questions,
                       const std::map<std::uint64_t, std::uint64_t>& sizes, std::uint64_t buckets) {
  spark::MergeSummary summary{sweep_run(job), {}, sizes, buckets, 0};
  summary.counts.ids = questions;
  for (const auto& [size, groups] : sizes) summary.counts.clusters += groups;
  if (!sizes.empty()) summary.counts.largest_cluster = sizes.rbegin()->first;
  return spark::line_of(summary);
}

std::vector<std::string> sweep_bucket(const Job& job, std::int64_t number, std::int64_t rows,
                                      const nb::object& ids, const nb::object& texts,
                                      const nb::object& answers) {
  const IdColumn members(ids, "ids");
  BucketQuestions questions(texts, answers);
  std::vector<std::pair<QuestionId, std::size_t>> places;
  for (std::size_t i = 0; i < members.ids().size(); ++i) places.emplace_back(members.ids()[i], i);
  expect_all_rows(static_cast<std::int64_t>(places.size()), rows);
  const nb::gil_scoped_release no_gil;
  questions.take(std::move(places), job.plan().text);
  const refine::AnnotatedOutcome outcome = engine::sweep(questions.identified(), job.past(), job.measure());
  return spark::lines_of(outcome, questions.in_pairs_of(outcome), static_cast<std::uint64_t>(number),
                         sweep_run(job));
}

}  // namespace

void define_spark_job(nb::module_& module) {
  nb::class_<Job>(module, "SparkJob", "The plan of a run on Spark; for qdedup.spark.")
      .def(nb::init<const nb::bytes&, std::string>(), nb::arg("plan"), nb::arg("run"))
      .def_prop_ro("logs",
                   [](const Job& job) {
                     std::map<std::string, std::uint64_t> logs;
                     for (const spark::LakeLog& log : job.plan().logs) logs[log.path] = log.bytes;
                     return logs;
                   })
      .def_prop_ro("listed_ids", [](const Job& job) { return job.plan().listed.ids(); })
      .def_prop_ro("reads_figures",
                   [](const Job& job) { return job.plan().text.markup == markup::Reading::automatic; })
      .def("know", &Job::know, nb::arg("present"), nb::arg("characters"))
      .def_prop_ro("changed_ids", &Job::changed_ids)
      .def("know_changed", &Job::know_changed, nb::arg("id"), nb::arg("text"), nb::arg("answer").none())
      .def(
          "head_lines",
          [](const Job& job, bool is_sweep) {
            return job.head_lines(is_sweep ? spark::DraftKind::sweep : spark::DraftKind::logs);
          },
          nb::arg("is_sweep"))
      .def("characters", &count_characters, nb::arg("ids"), nb::arg("texts"), nb::arg("answers"))
      .def("hashes", &hash_texts, nb::arg("ids"), nb::arg("texts"))
      .def("paths_to_take", &paths_to_take, nb::arg("log_lines"))
      .def("decide", &decide_bucket, nb::arg("bucket"), nb::arg("clusters"), nb::arg("ids"), nb::arg("texts"),
           nb::arg("answers"))
      .def("sign_groups", &sign_groups, nb::arg("ids"), nb::arg("texts"))
      .def("plan_blocks", &plan_blocks, nb::arg("lengths"), nb::arg("questions_per_block"))
      .def("block_edges", &block_edges, nb::arg("rows"), nb::arg("blocks"), nb::arg("ids"), nb::arg("texts"))
      .def_static("connected_buckets", &connected_buckets, nb::arg("a"), nb::arg("b"),
                  nb::arg("ids_per_bucket"))
      .def("sweep_line", &sweep_line, nb::arg("questions"), nb::arg("sizes"), nb::arg("buckets"))
      .def("sweep", &sweep_bucket, nb::arg("bucket"), nb::arg("rows"), nb::arg("ids"), nb::arg("texts"),
           nb::arg("answers"))
      .def("__getstate__",
           [](const Job& job) {
             const Job::State state = job.state();
             return nb::make_tuple(nb::bytes(state.plan.data(), state.plan.size()), state.run, state.present,
                                   nb::cast(state.characters));
           })
      .def("__setstate__", [](Job& self, const nb::tuple& state) {
        new (&self) Job(Job::State{std::string(view_of(nb::cast<nb::bytes>(state[0]))),
                                   nb::cast<std::string>(state[1]),
                                   nb::cast<std::map<QuestionId, std::uint64_t>>(state[2]),
                                   nb::cast<refine::CharacterCounts>(state[3])});
      });
  nb::class_<LogMiner>(module, "SparkLogMiner", "Mines one log, piece by piece; for qdedup.spark.")
      .def(nb::init<const Job&>(), nb::arg("job"))
      .def("add", &LogMiner::add, nb::arg("bytes"))
      .def("finish", &LogMiner::finish, nb::arg("path"), nb::arg("size"), nb::arg("content"));
  nb::class_<MergedBuckets>(module, "SparkBuckets", "All clusters of a run; for qdedup.spark.")
      .def(nb::init<const Job&, const nb::callable&, const std::vector<std::string>&, std::size_t,
                    std::uint64_t>(),
           nb::arg("job"), nb::arg("chunks"), nb::arg("log_lines"), nb::arg("ids_per_bucket"),
           nb::arg("memory_bytes"), nb::keep_alive<1, 2>())
      .def("next", &MergedBuckets::next)
      .def("lines", &MergedBuckets::lines);
}

}  // namespace qdedup::python
