#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/containers.h"
#include "engine/components.h"
#include "engine/in_memory.h"
#include "miner/clusters.h"
#include "miner/evidence_chunk.h"
#include "python/column_class.h"
#include "python/spark_job.h"
#include "refine/parts.h"
#include "spark/bands.h"
#include "spark/buckets.h"

namespace qdedup::python {
namespace {

// Rows of a bucket are (bucket, cluster, id), all of them ids to Arrow: these are the kinds of rows by
// `cluster`, of which a member of cluster i has first_cluster + i.
enum RowKind : std::int64_t { row_count = 1, inputs_hash = 2, no_cluster = 3, first_cluster = 4 };

// A hash of the logs that are taken, as a positive number.
std::int64_t hash_of(const std::vector<spark::MinedLakeLog>& logs) {
  std::string lines;
  for (const spark::MinedLakeLog& log : logs) lines += spark::line_of(log) + '\n';
  return static_cast<std::int64_t>((refine::text_hash(lines) >> 1U) | 1U);
}

std::string merge_run(const Job& job, std::int64_t inputs) {
  return job.run() + "." + std::to_string(inputs);
}

// The draft's lines about logs and merge.
std::vector<std::string> lines_of(const Job& job, const std::vector<spark::MinedLakeLog>& logs,
                                  const miner::MergeCounts& counts,
                                  const std::map<std::uint64_t, std::uint64_t>& sizes,
                                  std::uint64_t buckets) {
  std::vector<std::string> lines;
  for (const spark::MinedLakeLog& log : logs) lines.push_back(spark::line_of(log));
  lines.push_back(spark::line_of(
      spark::MergeSummary{merge_run(job, hash_of(logs)), counts, sizes, buckets, logs.size()}));
  return lines;
}

// The clusters of a run, in buckets.
class MergedBuckets {
 public:
  // All of them. `chunks()` iterates over the evidence of the logs that are taken; it is called more than
  // once.
  MergedBuckets(const Job& job, const nb::callable& chunks, const std::vector<std::string>& log_lines,
                std::size_t ids_per_bucket, std::uint64_t memory_bytes)
      : job_(job),
        logs_(mergeable(taken_logs(job, log_lines))),
        clusters_(merged(job.plan(), chunks, memory_bytes)),
        others_(job.past().reopened),
        list_(clusters_, others_),
        buckets_(list_, job.past().open, ids_per_bucket),
        inputs_(hash_of(logs_)) {}

  // Those that were merged in bands and name a listed id, in their order, and the reopened ones.
  MergedBuckets(const Job& job, std::vector<std::vector<QuestionId>> clusters,
                const std::vector<std::string>& log_lines, std::size_t ids_per_bucket)
      : job_(job),
        logs_(taken_logs(job, log_lines)),
        others_(std::move(clusters)),
        list_(clusters_, with_reopened(others_, job.past())),
        buckets_(list_, job.past().open, ids_per_bucket),
        inputs_(hash_of(logs_)) {}

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

  // The draft's lines about logs and merge, after the last bucket of all clusters.
  [[nodiscard]] std::vector<std::string> lines() const {
    return lines_of(job_, logs_, clusters_.counts(), clusters_.sizes(), static_cast<std::uint64_t>(count_));
  }

 private:
  static const std::vector<std::vector<QuestionId>>& with_reopened(
      std::vector<std::vector<QuestionId>>& clusters, const engine::Past& past) {
    clusters.insert(clusters.end(), past.reopened.begin(), past.reopened.end());
    return clusters;
  }

  static std::vector<spark::MinedLakeLog> mergeable(std::vector<spark::MinedLakeLog> logs) {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    std::uint64_t lists = 0;
    for (const spark::MinedLakeLog& log : logs) lists += log.totals.selected;
    if (lists > most) {
      throw DataError("the logs have " + std::to_string(lists) + " selected lists; one task merges " +
                      std::to_string(most) + " at most: take --merge bands");
    }
    return logs;
  }

  static miner::Clusters merged(const spark::Plan& plan, const nb::callable& chunks,
                                std::uint64_t memory_bytes) {
    std::uint64_t bytes = 0;
    for (const nb::handle chunk : chunks()) bytes += nb::cast<nb::bytes>(chunk).size();
    const miner::MergeBudget budget{.id_occurrences = bytes / miner::usual_bytes_per_id,
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

  const Job& job_;
  std::vector<spark::MinedLakeLog> logs_;
  miner::Clusters clusters_;
  std::vector<std::vector<QuestionId>> others_;
  engine::ClusterList list_;
  spark::Buckets buckets_;
  std::int64_t inputs_;
  std::int64_t count_ = 0;
};

nb::object decoded_lists(const nb::bytes& chunk) {
  miner::SeedLists lists;
  expect(miner::decode_evidence(view_of(chunk), lists));
  return to_column(lists);
}

// Columns of joins in a band; `lists` and `positions` count from 1.
nb::object merge_band(const Job& job, const nb::object& lists, const nb::object& positions,
                      const nb::object& a, const nb::object& b, const nb::object& a_sizes,
                      const nb::object& b_sizes) {
  const IdColumn columns[] = {{lists, "lists"}, {positions, "positions"}, {a, "a"},
                              {b, "b"},         {a_sizes, "a_sizes"},     {b_sizes, "b_sizes"}};
  std::vector<spark::BandJoin> joins;
  for (std::size_t i = 0; i < columns[0].ids().size(); ++i) {
    const auto number = [&](std::size_t column) { return columns[column].ids()[i]; };
    const auto count = [&](std::size_t column) { return static_cast<std::uint64_t>(number(column)); };
    joins.push_back({count(0), count(1), number(2), number(3), count(4), count(5)});
  }
  std::vector<std::int64_t> was;
  std::vector<std::int64_t> is;
  std::vector<std::int64_t> sizes;
  for (const spark::BandCluster& cluster :
       spark::merge_band(std::move(joins), job.plan().merge.max_cluster_size)) {
    was.push_back(cluster.was);
    is.push_back(cluster.is);
    sizes.push_back(static_cast<std::int64_t>(cluster.size));
  }
  return column(ArrowColumn::record({{"was", ArrowColumn::of(std::move(was))},
                                     {"is", ArrowColumn::of(std::move(is))},
                                     {"size", ArrowColumn::of(std::move(sizes))}}));
}

// What a merge in bands came to.
std::vector<std::string> band_lines(const Job& job, const std::vector<std::string>& log_lines,
                                    std::uint64_t distinct_lists, std::uint64_t refused_joins,
                                    const std::map<std::uint64_t, std::uint64_t>& sizes,
                                    std::uint64_t buckets) {
  const std::vector<spark::MinedLakeLog> logs = taken_logs(job, log_lines);
  std::uint64_t ids = 0;
  for (const auto& [size, clusters] : sizes) ids += size * clusters;
  miner::MergeCounts counts = miner::counts_of_groups(ids, sizes);
  for (const spark::MinedLakeLog& log : logs) counts.lists += log.totals.selected;
  counts.distinct_lists = distinct_lists;
  counts.joins = counts.ids - counts.clusters;
  counts.refused_joins = refused_joins;
  return lines_of(job, logs, counts, sizes, buckets);
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

  // Of whole clusters that depend on no other; `names` has the same id for all of a cluster.
  Bucket(const Job& job, std::int64_t rows, std::int64_t inputs, nb::handle names, nb::handle ids,
         nb::handle texts, nb::handle answers)
      : questions_(texts, answers), inputs_(inputs) {
    const IdColumn clusters(names, "names");
    const IdColumn members(ids, "ids");
    expect_all_rows(static_cast<std::int64_t>(members.ids().size()), rows);
    std::map<QuestionId, std::vector<QuestionId>> by_name;
    std::vector<std::pair<QuestionId, std::size_t>> places;
    for (std::size_t i = 0; i < members.ids().size(); ++i) {
      by_name[clusters.ids()[i]].push_back(members.ids()[i]);
      if (questions_.has_text(i)) places.emplace_back(members.ids()[i], i);
    }
    for (auto& [name, questions] : by_name) {
      std::ranges::sort(questions);
      clusters_.push_back(std::move(questions));
    }
    questions_.take(std::move(places), job.plan().text);
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

std::vector<std::string> decide(const Job& job, std::int64_t number, const Bucket& bucket) {
  const nb::gil_scoped_release no_gil;
  const refine::AnnotatedOutcome outcome = bucket.decide(job);
  return spark::lines_of(outcome, bucket.questions().in_pairs_of(outcome),
                         static_cast<std::uint64_t>(number - 1), merge_run(job, bucket.inputs()));
}

std::vector<std::string> decide_bucket(const Job& job, std::int64_t number, const nb::object& clusters,
                                       const nb::object& ids, const nb::object& texts,
                                       const nb::object& answers) {
  return decide(job, number, Bucket(job, clusters, ids, texts, answers));
}

std::vector<std::string> decide_clusters(const Job& job, std::int64_t number, std::int64_t rows,
                                         std::int64_t inputs, const nb::object& names, const nb::object& ids,
                                         const nb::object& texts, const nb::object& answers) {
  return decide(job, number, Bucket(job, rows, inputs, names, ids, texts, answers));
}

}  // namespace

void define_spark_merge(nb::module_& module, nb::class_<Job>& job) {
  job.def("decide", &decide_bucket, nb::arg("bucket"), nb::arg("clusters"), nb::arg("ids"), nb::arg("texts"),
          nb::arg("answers"))
      .def_static("decoded_lists", &decoded_lists, nb::arg("chunk"))
      .def("merge_band", &merge_band, nb::arg("lists"), nb::arg("positions"), nb::arg("a"), nb::arg("b"),
           nb::arg("a_sizes"), nb::arg("b_sizes"))
      .def("band_lines", &band_lines, nb::arg("log_lines"), nb::arg("distinct_lists"),
           nb::arg("refused_joins"), nb::arg("sizes"), nb::arg("buckets"))
      .def(
          "inputs",
          [](const Job& job, const std::vector<std::string>& log_lines) {
            return hash_of(taken_logs(job, log_lines));
          },
          nb::arg("log_lines"))
      .def("decide_clusters", &decide_clusters, nb::arg("bucket"), nb::arg("rows"), nb::arg("inputs"),
           nb::arg("names"), nb::arg("ids"), nb::arg("texts"), nb::arg("answers"));
  nb::class_<MergedBuckets>(module, "SparkBuckets", "Clusters of a run; for qdedup.spark.")
      .def(nb::init<const Job&, const nb::callable&, const std::vector<std::string>&, std::size_t,
                    std::uint64_t>(),
           nb::arg("job"), nb::arg("chunks"), nb::arg("log_lines"), nb::arg("ids_per_bucket"),
           nb::arg("memory_bytes"), nb::keep_alive<1, 2>())
      .def(nb::init<const Job&, std::vector<std::vector<QuestionId>>, const std::vector<std::string>&,
                    std::size_t>(),
           nb::arg("job"), nb::arg("clusters"), nb::arg("log_lines"), nb::arg("ids_per_bucket"),
           nb::keep_alive<1, 2>())
      .def("next", &MergedBuckets::next)
      .def("lines", &MergedBuckets::lines);
}

}  // namespace qdedup::python
