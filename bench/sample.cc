#include "bench/sample.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <variant>

#include "bench/made_ids.h"
#include "bench/made_list.h"
#include "bench/made_question.h"
#include "import/question_reader.h"
#include "logs/files.h"
#include "miner/clusters.h"
#include "miner/log_block.h"
#include "refine/parts.h"

namespace qdedup::bench {
namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint64_t questions = 50'000;
constexpr std::uint64_t lines = 60'000;

[[noreturn]] void stop(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(66);
}

// The folder of QDEDUP_BENCH_DATA; empty where it is not set.
std::string data_folder() {
  const char* const folder = std::getenv("QDEDUP_BENCH_DATA");  // NOLINT(concurrency-mt-unsafe)
  return folder == nullptr ? "" : folder;
}

using Bank = std::map<QuestionId, std::string>;

Bank read_bank(const std::string& path) {
  Bank bank;
  const auto reader = import::open_questions(path, logs::Files(), {});
  if (!reader.ok()) stop(reader.error().message);
  while (true) {
    auto row = (*reader)->next();
    if (!row.ok()) stop(row.error().message);
    if (!row->has_value()) return bank;
    if (auto* question = std::get_if<import::Question>(&(*row)->content)) {
      bank.emplace(question->id, std::move(question->text));
    }
  }
}

Bank make_bank() {
  const QuestionMaker maker(seed, questions, Shape::usual);
  const QuestionIds ids(questions, seed);
  Bank bank;
  for (std::uint64_t i = 0; i < questions; ++i) maker.append_text(i, bank[ids.id_of(i)]);
  return bank;
}

const Bank& bank() {
  static const Bank bank = data_folder().empty() ? make_bank() : read_bank(data_folder() + "/bank.jsonl");
  return bank;
}

std::string make_log() {
  const Layout layout(questions, Shape::usual);
  const QuestionIds ids(questions, seed);
  const ListMaker lists(seed, questions, Shape::usual, layout, ids);
  std::string log;
  for (std::uint64_t line = 0; line < lines; ++line) lists.append_line(line, log);
  return log;
}

std::string read_log(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) stop(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

miner::SeedLists mined(const std::string& log) {
  miner::SeedLists lists;
  miner::LineCounts counts;
  const auto parser = miner::LineParser::create({});
  miner::mine_block(log, *parser, {}, lists, counts);
  return lists;
}

void add_pairs(std::span<const QuestionId> cluster, SamplePairs& pairs) {
  std::vector<refine::Comparand> parts;
  for (const QuestionId id : cluster) {
    if (const auto found = bank().find(id); found != bank().end()) {
      parts.emplace_back(refine::parts_of(found->second), refine::DuplicateSettings());
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const refine::Comparison comparison = refine::compare(parts[i], parts[j], {});
      if (!comparison.same_signs) continue;
      auto& kind = comparison.duplicate ? pairs.duplicates : pairs.others;
      if (kind.size() < 100'000) kind.emplace_back(parts[i], parts[j]);
    }
  }
}

SamplePairs find_pairs() {
  SamplePairs pairs;
  const miner::Clusters clusters = miner::merge(mined(sample_log()), {});
  for (std::size_t i = 0; i < clusters.size(); ++i) add_pairs(clusters.ids(i), pairs);
  return pairs;
}

}  // namespace

const std::string& sample_log() {
  static const std::string log =
      data_folder().empty() ? make_log() : read_log(data_folder() + "/search-1.log");
  return log;
}

const std::vector<std::string>& sample_texts() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const auto& [id, text] : bank()) all.push_back(text);
    return all;
  }();
  return texts;
}

const SamplePairs& sample_pairs() {
  static const SamplePairs pairs = find_pairs();
  return pairs;
}

// As in a week, a distinct id comes up 2.4 times, and a list has 5.6 ids.
miner::SeedLists sample_lists(std::size_t distinct) {
  const Permutation order(distinct, seed);
  const QuestionIds ids(distinct, seed);
  miner::SeedLists lists;
  std::vector<QuestionId> list(6);
  for (std::uint64_t i = 0; i < distinct * 2 / 5; ++i) {
    RandomStream random(seed, RandomStream::Purpose::results, i);
    const std::uint64_t first = order(random.bits() % distinct);
    for (std::size_t j = 0; j < list.size(); ++j) list[j] = ids.id_of((first + j * 5) % distinct);
    lists.append(0.5 + random.fraction() / 2, list);
  }
  return lists;
}

}  // namespace qdedup::bench
