#include "python/spark_job.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/escaped.h"
#include "logs/line_cutter.h"
#include "logs/packing.h"
#include "miner/evidence_chunk.h"
#include "miner/line_parser.h"
#include "miner/log_block.h"
#include "python/column_class.h"
#include "refine/parts.h"

namespace qdedup::python {

std::vector<markup::Compared> compared(const TextColumn& texts, const TextColumn& answers,
                                       const markup::Options& options) {
  std::vector<markup::Compared> all;
  all.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) throw DataError("texts[" + std::to_string(i) + "]: is missing");
    all.push_back(markup::compared(*texts[i], answers[i], options));
  }
  return all;
}

std::vector<spark::MinedLakeLog> taken_logs(const Job& job, const std::vector<std::string>& lines) {
  std::vector<spark::MinedLakeLog> logs;
  for (const std::string& line : lines) logs.push_back(expect(spark::read_log(line)));
  return expect(spark::logs_to_take(std::move(logs), job.plan().logs));
}

void expect_all_rows(std::int64_t found, std::int64_t expected) {
  if (found == expected) return;
  throw DataError("a bucket has " + std::to_string(found) + " of its " + std::to_string(expected) +
                  " rows: the bank changed meanwhile, or they came to more than one task");
}

namespace {

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
  const TextColumn column_of_answers(answers, "answers");
  expect_no_long_question(column, column_of_answers);
  const nb::gil_scoped_release no_gil;
  refine::CharacterChanges entered;
  for (const markup::Compared& question : compared(column, column_of_answers, job.plan().text))
    entered.enter(question.text);
  refine::CharacterCounts characters;
  characters.set_questions(column.size());
  for (const auto& [code_point, count] : entered.take()) {
    characters.set_count(code_point, static_cast<std::uint64_t>(count));
  }
  return characters;
}

// Of each question the hash of what is compared, and the mark of all that people see.
nb::object hash_questions(const Job& job, const nb::object& ids, const nb::object& texts,
                          const nb::object& answers) {
  const IdColumn questions(ids, "ids");
  const TextColumn column_of_texts(texts, "texts");
  const TextColumn column_of_answers(answers, "answers");
  const std::vector<markup::Compared> all = compared(column_of_texts, column_of_answers, job.plan().text);
  std::vector<std::int64_t> hashes;
  std::vector<std::int64_t> marks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const spark::DraftQuestion question =
        spark::draft_question(questions.ids()[i], *column_of_texts[i], column_of_answers[i], all[i]);
    hashes.push_back(static_cast<std::int64_t>(refine::text_hash(question.text)));
    marks.push_back(static_cast<std::int64_t>(spark::mark_of(question)));
  }
  return column(ArrowColumn::record(
      {{"id", ArrowColumn::of(std::vector<std::int64_t>(questions.ids().begin(), questions.ids().end()))},
       {"hash", ArrowColumn::of(std::move(hashes))},
       {"mark", ArrowColumn::of(std::move(marks))}}));
}

// Mines a log whose bytes come unpacked, piece by piece; `first` are those of the file.
class LogMiner {
 public:
  LogMiner(const Job& job, const nb::bytes& first)
      : compression_(logs::compression_of(view_of(first))),
        parser_(expect(miner::LineParser::create(job.plan().shape))),
        selection_(job.plan().selection),
        cutter_(job.plan().max_line_bytes) {}

  [[nodiscard]] const char* packing() const {
    if (compression_ == logs::Compression::none) return "none";
    return compression_ == logs::Compression::gzip ? "gzip" : "zstd";
  }

  // Returns the seed lists so far, as evidence, once there are many of them; else nothing.
  nb::bytes add(const nb::bytes& bytes) {
    std::string_view left = view_of(bytes);
    look_at(left);
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
    const spark::MinedLakeLog log{{path, bytes, content}, counts_.totals()};
    if (log.totals.is_wrong_file()) throw DataError(what_is_wrong());
    return {lists_.size() > 0 ? evidence() : nb::bytes("", 0), spark::line_of(log)};
  }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t many_ids = 2'000'000;

  // What other programs packed has no lines.
  void look_at(std::string_view bytes) {
    if (head_.size() >= logs::magic_bytes) return;
    head_ += bytes.substr(0, logs::magic_bytes - head_.size());
    const auto problem =
        compression_ == logs::Compression::none ? logs::other_packing(head_) : logs::second_packing(head_);
    if (problem) throw DataError(*problem);
  }

  [[nodiscard]] std::string what_is_wrong() const {
    const auto most =
        static_cast<std::size_t>(std::ranges::max_element(counts_.rejected) - counts_.rejected.begin());
    return "none of its " + std::to_string(counts_.lines) +
           " lines could be used: " + std::to_string(counts_.rejected[most]) + " as " +
           std::string(name(static_cast<miner::Rejection>(most))) + "; the first of these begins `" +
           escaped(counts_.first_rejected[most]) + "`: does [logs] fit it?";
  }

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

  logs::Compression compression_;
  std::string head_;
  miner::LineParser parser_;
  miner::SelectionSettings selection_;
  logs::LineCutter cutter_;
  miner::SeedLists lists_;
  miner::LineCounts counts_;
};

std::vector<std::string> paths_to_take(const Job& job, const std::vector<std::string>& lines) {
  std::vector<std::string> paths;
  for (const spark::MinedLakeLog& log : taken_logs(job, lines)) paths.push_back(log.log.path);
  return paths;
}

}  // namespace

void define_spark_job(nb::module_& module) {
  nb::class_<Job> job(module, "SparkJob", "The plan of a run on Spark; for qdedup.spark.");
  job.def(
         "__init__",
         [](Job* self, const nb::bytes& plan, std::string run) {
           new (self) Job(view_of(plan), std::move(run));
         },
         nb::arg("plan"), nb::arg("run"))
      .def_prop_ro("logs",
                   [](const Job& job) {
                     std::map<std::string, std::uint64_t> logs;
                     for (const spark::LakeLog& log : job.plan().logs) logs[log.path] = log.bytes;
                     return logs;
                   })
      .def_prop_ro("listed_ids", [](const Job& job) { return job.plan().listed.ids(); })
      .def("know", &Job::know, nb::arg("present"), nb::arg("characters"))
      .def("without_past", &Job::without_past)
      .def("unknown_ids", &Job::unknown_ids, nb::arg("marks"))
      .def("know_question", &Job::know_question, nb::arg("id"), nb::arg("text"), nb::arg("answer").none())
      .def("head_lines", &Job::head_lines, nb::arg("is_sweep"))
      .def("characters", &count_characters, nb::arg("ids"), nb::arg("texts"), nb::arg("answers"))
      .def("hashes", &hash_questions, nb::arg("ids"), nb::arg("texts"), nb::arg("answers"))
      .def("paths_to_take", &paths_to_take, nb::arg("log_lines"))
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
      .def(nb::init<const Job&, const nb::bytes&>(), nb::arg("job"), nb::arg("first"))
      .def_prop_ro("packing", &LogMiner::packing)
      .def("add", &LogMiner::add, nb::arg("bytes"))
      .def("finish", &LogMiner::finish, nb::arg("path"), nb::arg("size"), nb::arg("content"));
  define_spark_merge(module, job);
  define_spark_sweep(job);
}

}  // namespace qdedup::python
