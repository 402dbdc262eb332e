#include <cstdint>
#include <map>
#include <string>
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

#include "engine/in_memory.h"
#include "miner/clusters.h"
#include "python/column_class.h"
#include "python/spark_job.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "spark/sweep.h"

namespace qdedup::python {
namespace {

// Of those questions that are compared: what a sweep groups them by.
nb::object sign_groups(const Job& job, const nb::object& ids, const nb::object& texts,
                       const nb::object& answers) {
  const IdColumn questions(ids, "ids");
  std::vector<std::int64_t> compared_ids;
  std::vector<std::int64_t> fingerprints;
  std::vector<std::int64_t> lengths;
  const std::vector<markup::Compared> all =
      compared(TextColumn(texts, "texts"), TextColumn(answers, "answers"), job.plan().text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!refine::is_compared(all[i].text)) continue;
    const refine::Parts parts = refine::compared_parts(all[i].text, job.plan().refine);
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

// Of questions in sign groups, so none of their answers is too long.
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
      questions.push_back(
          {members.ids()[i], numbers.ids()[i], refine::compared_parts(text.text, job.plan().refine)});
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
  return spark::line_of(
      spark::MergeSummary{sweep_run(job), miner::counts_of_groups(questions, sizes), sizes, buckets, 0});
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

void define_spark_sweep(nb::class_<Job>& job) {
  job.def("sign_groups", &sign_groups, nb::arg("ids"), nb::arg("texts"), nb::arg("answers"))
      .def("plan_blocks", &plan_blocks, nb::arg("lengths"), nb::arg("questions_per_block"))
      .def("block_edges", &block_edges, nb::arg("rows"), nb::arg("blocks"), nb::arg("ids"), nb::arg("texts"))
      .def_static("connected_buckets", &connected_buckets, nb::arg("a"), nb::arg("b"),
                  nb::arg("ids_per_bucket"))
      .def("sweep_line", &sweep_line, nb::arg("questions"), nb::arg("sizes"), nb::arg("buckets"))
      .def("sweep", &sweep_bucket, nb::arg("bucket"), nb::arg("rows"), nb::arg("ids"), nb::arg("texts"),
           nb::arg("answers"));
}

}  // namespace qdedup::python
