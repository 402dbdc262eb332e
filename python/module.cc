#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/parallel.h"
#include "base/value_names.h"
#include "base/version.h"
#include "engine/in_memory.h"
#include "logs/packing.h"
#include "markup/compared.h"
#include "markup/extract.h"
#include "miner/clusters.h"
#include "miner/log_block.h"
#include "python/column_class.h"
#include "python/columns.h"
#include "python/spark_job.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "refine/risk_model.h"
#include "refine/unicode.h"

namespace qdedup::python {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

// A class of qdedup/results.py with these values.
template <class... Values>
nb::object result(const char* name, Values&&... values) {
  return nb::module_::import_("qdedup.results").attr(name)(std::forward<Values>(values)...);
}

// Where a setting takes one of a few names.
template <class Value, std::size_t Size>
Value named(const std::string& setting, const std::string& value, const ValueNames<Value, Size>& names) {
  std::string known;
  for (const auto& [meaning, name] : names) {
    if (name == value) return meaning;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw nb::value_error((setting + ": " + value + " is none of " + known).c_str());
}

// The settings of the duplicate test as arguments.
struct RuleArguments {
  int min_similarity;
  std::string similarity;
  std::string signs;
  std::string compare;
  std::size_t gram;
};

refine::DuplicateSettings duplicate_settings(const RuleArguments& rule) {
  if (rule.min_similarity < 1 || rule.min_similarity > 100)
    throw nb::value_error("min_similarity: is not from 1 to 100 percent");
  if (rule.gram < 1 || rule.gram > refine::max_gram)
    throw nb::value_error("gram: is not from 1 to 64 characters");
  return {.min_similarity = rule.min_similarity,
          .similarity = named("similarity", rule.similarity, refine::similarity_names),
          .signs = named("signs", rule.signs, refine::sign_rule_names),
          .compare = named("compare", rule.compare, refine::compared_text_names),
          .gram = rule.gram};
}

miner::WorkShare share_among(unsigned threads) {
  return [threads](std::size_t count, const auto& work) { parallel_for(count, threads, work); };
}

// A text as an argument. Fails as TextColumn does.
std::string checked(const nb::str& text, const char* name) {
  const TextColumn column(nb::make_tuple(text), name);
  return std::string(*column[0]);
}

// By a set measure.
template <class Compared>
double percent_alike(const Compared& pair) {
  return static_cast<double>(pair.length - pair.distance) / 100.0;
}

nb::object to_python(const refine::Parts& parts) {
  return result("Parts", refine::sign_list(parts), refine::to_utf8(parts.han));
}

nb::list to_python(const std::vector<refine::Finding>& findings) {
  nb::list list;
  for (const refine::Finding& finding : findings) {
    list.append(result("Finding", finding.kind, nb::make_tuple(finding.question.begin, finding.question.end),
                       nb::make_tuple(finding.keeper.begin, finding.keeper.end)));
  }
  return list;
}

nb::object to_python(const refine::Contrast& contrast) {
  return result("Contrast", std::string(name(contrast.confidence)), contrast.risk.share(),
                to_python(contrast.reasons), to_python(contrast.harmless));
}

nb::object parts(const nb::str& text) { return to_python(refine::parts_of(checked(text, "text"))); }

refine::Comparison compared(const std::string& a, const std::string& b,
                            const refine::DuplicateSettings& settings) {
  const nb::gil_scoped_release no_gil;
  refine::Comparison comparison = refine::compare_in_full(refine::compared_parts(a, settings),
                                                          refine::compared_parts(b, settings), settings);
  comparison.duplicate = comparison.duplicate && refine::is_compared(a) && refine::is_compared(b);
  return comparison;
}

bool is_duplicate(const nb::str& a, const nb::str& b, int min_similarity, const std::string& similarity,
                  const std::string& signs, const std::string& compare, std::size_t gram) {
  const refine::DuplicateSettings settings =
      duplicate_settings({min_similarity, similarity, signs, compare, gram});
  return compared(checked(a, "a"), checked(b, "b"), settings).duplicate;
}

nb::object contrast(const nb::str& question, const nb::str& keeper,
                    const std::optional<nb::str>& question_answer,
                    const std::optional<nb::str>& keeper_answer, const refine::CharacterCounts* characters) {
  const std::string first = checked(question, "question");
  const std::string second = checked(keeper, "keeper");
  std::optional<std::string> first_answer;
  std::optional<std::string> second_answer;
  if (question_answer) first_answer = checked(*question_answer, "question_answer");
  if (keeper_answer) second_answer = checked(*keeper_answer, "keeper_answer");
  const refine::CharacterCounts none;
  return to_python(refine::contrast({first, first_answer}, {second, second_answer},
                                    characters != nullptr ? *characters : none, {}));
}

nb::object explain(const nb::str& a, const nb::str& b, int min_similarity, const std::string& similarity,
                   const std::string& signs, const std::string& compare, std::size_t gram,
                   const refine::CharacterCounts* characters) {
  const refine::DuplicateSettings settings =
      duplicate_settings({min_similarity, similarity, signs, compare, gram});
  const refine::Comparison comparison = compared(checked(a, "a"), checked(b, "b"), settings);
  const bool by_sets = refine::set_measure(settings.similarity).has_value();
  const auto unless_sets = [&](std::size_t number) {
    return by_sets ? nb::object(nb::none()) : nb::int_(number);
  };
  return result("Explanation", comparison.duplicate, comparison.same_signs, unless_sets(comparison.distance),
                unless_sets(comparison.length), parts(a), parts(b),
                contrast(a, b, std::nullopt, std::nullopt, characters),
                by_sets ? nb::object(nb::float_(percent_alike(comparison))) : nb::object(nb::none()));
}

nb::object plain(const nb::object& text, const std::string& markup, const std::string& numbering) {
  const markup::Options options{named("markup", markup, markup::reading_names),
                                named("numbering", numbering, markup::numbering_names)};
  const bool is_one = PyUnicode_Check(text.ptr()) != 0;
  const TextColumn texts(is_one ? nb::object(nb::make_tuple(text)) : text, is_one ? "text" : "texts");
  std::vector<std::optional<std::string>> extracted(texts.size());
  std::optional<ArrowColumn> all;
  {
    const nb::gil_scoped_release no_gil;
    parallel_for(texts.size(), thread_count(0), [&](std::size_t i) {
      if (!texts[i]) return;
      // One that is too long stays so, and takes part in nothing.
      const bool is_unread = texts[i]->size() > markup::max_imported_bytes;
      extracted[i] = is_unread ? std::string(*texts[i]) : markup::extract(*texts[i], options).text;
    });
    if (!is_one) all = ArrowColumn::of(extracted);
  }
  return all ? column(*all) : nb::object(nb::str(extracted[0]->data(), extracted[0]->size()));
}

// What the views of lines point to.
struct LinesOwner {
  nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> bytes;
  std::optional<TextColumn> texts;
};

// The lines of a log: whole ones of some bytes, or one for each text.
std::vector<std::string_view> lines_of(nb::handle lines, LinesOwner& owner) {
  std::vector<std::string_view> all;
  if (PyObject_CheckBuffer(lines.ptr()) != 0 && nb::try_cast(lines, owner.bytes, false)) {
    std::string_view bytes(reinterpret_cast<const char*>(owner.bytes.data()), owner.bytes.size());
    const std::string_view first = bytes.substr(0, logs::magic_bytes);
    if (logs::compression_of(first) != logs::Compression::none)
      throw DataError("lines: are packed with gzip or zstd; unpack them first");
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      all.push_back(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
    }
    return all;
  }
  const TextColumn& texts = owner.texts.emplace(lines, "lines", true);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string where = "lines[" + std::to_string(i) + "]: ";
    if (!texts[i]) throw DataError(where + "is missing");
    std::string_view line = *texts[i];
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.find('\n') != std::string_view::npos) throw DataError(where + "is more than one line");
    all.push_back(line);
  }
  return all;
}

struct Mined {
  miner::SeedLists lists;
  miner::LineCounts counts;
};

Mined mine_lines(const std::vector<std::string_view>& lines, const miner::LineParser& parser,
                 const miner::SelectionSettings& selection, std::size_t max_line_bytes, unsigned threads) {
  constexpr std::size_t lines_at_once = 4096;
  std::vector<Mined> pieces((lines.size() + lines_at_once - 1) / lines_at_once);
  parallel_for(pieces.size(), threads, [&](std::size_t piece) {
    miner::LineMiner miner(parser, selection);
    Mined& mined = pieces[piece];
    const std::size_t end = std::min(lines.size(), (piece + 1) * lines_at_once);
    for (std::size_t i = piece * lines_at_once; i < end; ++i) {
      const std::size_t nul_bytes = std::min(lines[i].find_first_not_of('\0'), lines[i].size());
      if (lines[i].size() - nul_bytes <= max_line_bytes) {
        miner.mine(lines[i], mined.lists, mined.counts);
      } else {
        ++mined.counts.lines;
        ++mined.counts.rejected[static_cast<std::size_t>(miner::Rejection::too_long)];
      }
    }
  });
  Mined all;
  for (Mined& piece : pieces) {
    all.lists.append(piece.lists);
    all.counts += piece.counts;
    piece = {};
  }
  return all;
}

nb::object to_python(const miner::LineCounts& counts) {
  return result("LineCounts", counts.lines, counts.selected, counts.unselected, counts.totals().rejected);
}

nb::object mine(const nb::object& lines, const std::string& format, const std::string& pointer,
                const std::string& id, const std::string& score, bool quoted_numbers,
                const std::string& order, double min_top_score, double min_score, std::size_t max_line_bytes,
                unsigned threads) {
  const auto expect_finite = [](double least_score, const char* setting) {
    if (!std::isfinite(least_score))
      throw nb::value_error((std::string(setting) + ": is no finite number").c_str());
  };
  expect_finite(min_top_score, "min_top_score");
  expect_finite(min_score, "min_score");
  const miner::LineShape shape{
      .format = named("format", format, miner::line_format_names),
      .pointer = pointer,
      .id = id,
      .score = score,
      .quoted_numbers = quoted_numbers,
      .by_score = named<bool, 2>("order", order, {{{false, "listed"}, {true, "score"}}})};
  const Result<miner::LineParser> parser = miner::LineParser::create(shape);
  if (!parser.ok()) throw nb::value_error(parser.error().message.c_str());
  LinesOwner owner;
  const std::vector<std::string_view> all = lines_of(lines, owner);
  Mined mined;
  {
    const nb::gil_scoped_release no_gil;
    mined = mine_lines(all, *parser, {min_top_score, min_score}, max_line_bytes, thread_count(threads));
  }
  return result("Mined", to_column(mined.lists), to_python(mined.counts));
}

nb::object merge(const nb::object& lists, std::size_t max_cluster_size) {
  if (max_cluster_size < 2) throw nb::value_error("max_cluster_size: is less than 2");
  const miner::SeedLists seeds = read_seed_lists(lists, "lists");
  miner::Clusters clusters;
  {
    const nb::gil_scoped_release no_gil;
    clusters = miner::merge(seeds, {max_cluster_size});
  }
  std::vector<std::int64_t> ids;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    ids.insert(ids.end(), clusters.ids(i).begin(), clusters.ids(i).end());
    ends.push_back(ids.size());
  }
  const miner::MergeCounts& counts = clusters.counts();
  return result("Merged", column(ArrowColumn::lists(std::move(ids), ends)),
                result("MergeCounts", counts.lists, counts.distinct_lists, counts.ids, counts.joins,
                       counts.refused_joins, counts.clusters, counts.largest_cluster));
}

// By a set measure, the similarity stands for distance and length.
nb::object to_python(const std::vector<refine::AnnotatedDeletion>& rows, bool by_sets) {
  std::vector<std::int64_t> questions;
  std::vector<std::int64_t> keepers;
  std::vector<std::int64_t> distances;
  std::vector<std::int64_t> lengths;
  std::vector<double> similarities;
  std::vector<std::optional<std::string>> confidences;
  std::vector<std::optional<std::string>> reasons;
  std::vector<double> risks;
  for (const refine::AnnotatedDeletion& row : rows) {
    questions.push_back(row.question);
    keepers.push_back(row.keeper);
    distances.push_back(static_cast<std::int64_t>(row.distance));
    lengths.push_back(static_cast<std::int64_t>(row.length));
    similarities.push_back(percent_alike(row));
    confidences.emplace_back(name(row.confidence));
    reasons.push_back(row.reasons.text());
    risks.push_back(row.risk.share());
  }
  std::vector<ArrowColumn::Field> fields = {{"delete_id", ArrowColumn::of(std::move(questions))},
                                            {"keep_id", ArrowColumn::of(std::move(keepers))}};
  if (by_sets) {
    fields.push_back({"similarity", ArrowColumn::of(std::move(similarities))});
  } else {
    fields.push_back({"distance", ArrowColumn::of(std::move(distances))});
    fields.push_back({"length", ArrowColumn::of(std::move(lengths))});
  }
  fields.push_back({"confidence", ArrowColumn::of(confidences)});
  fields.push_back({"reasons", ArrowColumn::of(reasons)});
  fields.push_back({"risk", ArrowColumn::of(std::move(risks))});
  return column(ArrowColumn::record(std::move(fields)));
}

void count(std::string_view text, refine::CharacterCounts& characters) {
  characters.add(refine::is_compared(text) ? text : std::string_view());
}

// Calls decide(measure) without the GIL. The characters are those of the questions, unless they are given;
// other threads may change them meanwhile.
template <class Decide>
nb::object decided(const Questions& questions, const RuleArguments& rule,
                   const refine::CharacterCounts* characters, const Decide& decide) {
  const refine::DuplicateSettings settings = duplicate_settings(rule);
  refine::AnnotatedOutcome outcome;
  refine::CharacterCounts own;
  if (characters != nullptr) own = *characters;
  {
    const nb::gil_scoped_release no_gil;
    if (characters == nullptr) {
      for (const auto& [id, question] : questions.by_id()) count(question.text, own);
    }
    outcome = decide(engine::Measure{{settings, {}}, own});
  }
  const bool by_sets = refine::set_measure(settings.similarity).has_value();
  return result("Refined", to_python(outcome.deletions, by_sets), to_python(outcome.further, by_sets),
                outcome.missing);
}

nb::object refine_clusters(const nb::object& clusters, const nb::object& texts, int min_similarity,
                           const std::string& similarity, const std::string& signs,
                           const std::string& compare, std::size_t gram,
                           const refine::CharacterCounts* characters, unsigned threads) {
  const Questions questions = Questions::of(texts);
  std::vector<std::vector<QuestionId>> read = read_clusters(clusters, "clusters");
  const RuleArguments rule{min_similarity, similarity, signs, compare, gram};
  return decided(questions, rule, characters, [&](const engine::Measure& measure) {
    return engine::decide(questions.by_id(), std::move(read), {}, measure,
                          share_among(thread_count(threads)));
  });
}

nb::object sweep(const nb::object& ids, const nb::object& texts, const nb::object& answers,
                 int min_similarity, const std::string& similarity, const std::string& signs,
                 const std::string& compare, std::size_t gram, const refine::CharacterCounts* characters,
                 unsigned threads) {
  const Questions questions(ids, texts, answers);
  const unsigned count = thread_count(threads);
  const RuleArguments rule{min_similarity, similarity, signs, compare, gram};
  return decided(questions, rule, characters, [&](const engine::Measure& measure) {
    return engine::sweep(questions.by_id(), {}, measure, {.threads = count, .share = share_among(count)});
  });
}

// By character, and under "" the number of texts.
Counts state_of(const refine::CharacterCounts& characters) {
  Counts state = {{"", characters.questions()}};
  for (const auto& [character, texts] : characters.counts())
    state[refine::to_utf8(std::u32string_view(&character, 1))] = texts;
  return state;
}

void restore(refine::CharacterCounts& characters, const Counts& state) {
  for (const auto& [character, texts] : state) {
    if (character.empty())
      characters.set_questions(texts);
    else
      characters.set_count(refine::to_utf32(character).front(), texts);
  }
}

void define_character_counts(nb::module_& module) {
  nb::class_<refine::CharacterCounts> counts(
      module, "CharacterCounts",
      "In how many texts of a bank each character occurs: what is common "
      "says little about what a question is "
      "about. Those of parts of a bank can be merged; they can be pickled.");
  counts.def(nb::init<>())
      .def(
          "add",
          [](refine::CharacterCounts& self, const nb::object& texts) {
            const TextColumn column(texts, "texts");
            refine::CharacterCounts added;
            {
              const nb::gil_scoped_release no_gil;
              for (std::size_t i = 0; i < column.size(); ++i) count(column[i].value_or(""), added);
            }
            self.merge(added);
          },
          nb::arg("texts"), "Counts texts: a sequence of str, or an Arrow array.")
      .def("merge", &refine::CharacterCounts::merge, nb::arg("other"), "Adds the counts of other texts.")
      .def_prop_ro("texts", &refine::CharacterCounts::questions, "How many texts were counted.")
      .def(
          "__eq__", [](const refine::CharacterCounts& a, const refine::CharacterCounts& b) { return a == b; },
          nb::is_operator())
      .def("__getstate__", &state_of)
      .def("__setstate__", [](refine::CharacterCounts& self, const Counts& state) {
        new (&self) refine::CharacterCounts();
        restore(self, state);
      });
  counts.attr("__hash__") = nb::none();
}

void define_functions(nb::module_& module) {
  const auto similar = nb::arg("min_similarity") = 80;
  const auto by = nb::arg("similarity") = "levenshtein";
  const auto signs = nb::arg("signs") = "equal";
  const auto compare = nb::arg("compare") = "han";
  const auto gram = nb::arg("gram") = refine::DuplicateSettings().gram;
  const auto characters = nb::arg("characters").none() = nb::none();
  const auto threads = nb::arg("threads") = 0;
  module.def(
      "parts", &parts, nb::arg("text"),
      "What the duplicate test sees of a text: its signs (numbers, letters, operators) and its Han part.");
  module.def("is_duplicate", &is_duplicate, nb::arg("a"), nb::arg("b"), nb::kw_only(), similar, by, signs,
             compare, gram,
             "Do two texts pass the duplicate test? min_similarity is in percent; similarity is "
             "\"levenshtein\", \"lcs\", \"jaccard\" or \"cosine\", the last two over runs of `gram` "
             "characters. With "
             "signs=\"any\" signs do not count; with compare=\"text\" the whole normal form is compared. A "
             "text that is empty, or longer than 65,536 bytes in UTF-8, is nobody's duplicate.");
  module.def("explain", &explain, nb::arg("a"), nb::arg("b"), nb::kw_only(), similar, by, signs, compare,
             gram, characters, "Why two texts are duplicates or not, and what tells them apart.");
  module.def(
      "contrast", &contrast, nb::arg("question"), nb::arg("keeper"), nb::kw_only(),
      nb::arg("question_answer").none() = nb::none(), nb::arg("keeper_answer").none() = nb::none(),
      characters,
      "Whether a question asks the same as another one, which it duplicates. `characters` are those of "
      "the bank; without them no character counts as common or rare.");
  module.def(
      "plain", &plain, nb::arg("text"), nb::kw_only(), nb::arg("markup") = "auto",
      nb::arg("numbering") = "keep",
      "A text without its HTML and LaTeX; of a sequence of str or an Arrow array, a Column. With "
      "numbering=\"drop\", without what numbers the question. None stays None, and a text of more than "
      "1,048,576 bytes as it is.");
  module.def(
      "mine", &mine, nb::arg("lines"), nb::kw_only(), nb::arg("format") = "array",
      nb::arg("pointer") = "/results", nb::arg("id") = "", nb::arg("score") = "",
      nb::arg("quoted_numbers") = false, nb::arg("order") = "listed", nb::arg("min_top_score") = 0.5,
      nb::arg("min_score") = 0.3, nb::arg("max_line_bytes") = 1'048'576, threads,
      "The seed lists of log lines. `lines` is a sequence of str or bytes, an Arrow array of texts or "
      "bytes, each one line; or the bytes of a log (bytes, bytearray, memoryview, mmap), of which a last "
      "line without newline is left out. What a line is, `format`, `pointer`, `id`, `score`, "
      "`quoted_numbers` and `order` say, as the settings "
      "[logs] of the program; longer ones than max_line_bytes are rejected.");
  module.def(
      "merge", &merge, nb::arg("lists"), nb::kw_only(), nb::arg("max_cluster_size") = 200,
      "Joins seed lists into clusters, highest top score first. `lists` is what mine() gives, an Arrow "
      "array of structs {top_score, ids}, or a sequence of (top_score, ids) or such dicts.");
  module.def(
      "refine", &refine_clusters, nb::arg("clusters"), nb::arg("texts"), nb::kw_only(), similar, by, signs,
      compare, gram, characters, threads,
      "Which questions of clusters are deleted, in favour of which. `clusters` is what merge() gives, an "
      "Arrow array of lists, or a sequence of sequences of ids; `texts` is a dict from id to text, or a "
      "table (pyarrow, polars, pandas) with the columns id, text and, perhaps, answer. `characters` "
      "are those of the bank, if that has more texts.");
  module.def(
      "sweep", &sweep, nb::arg("ids"), nb::arg("texts"), nb::arg("answers").none() = nb::none(),
      nb::kw_only(), similar, by, signs, compare, gram, characters, threads,
      "The same for all questions as one cluster without a limit, so without logs. Three columns of one "
      "length: sequences or Arrow arrays; `ids` may be a NumPy array.");
}

}  // namespace

NB_MODULE(_core, module) {
  nb::exception<DataError>(module, "DataError", PyExc_ValueError);
  define_column(module);
  define_character_counts(module);
  define_functions(module);
  define_spark_job(module);
  module.attr("__version__") = program_version();
  module.attr("rules") = refine::sign_rules_version() + "; " + std::string(markup::extraction_version()) +
                         "; weights " + refine::RiskModel::shipped().name();
}

}  // namespace qdedup::python
