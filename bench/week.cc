#include "bench/week.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "bench/made_ids.h"
#include "bench/made_list.h"
#include "bench/made_question.h"

namespace qdedup::bench {
namespace {

class WeekMaker {
 public:
  explicit WeekMaker(const WeekOptions& options)
      : options_(options),
        questions_(options.seed, options.questions, options.shape),
        ids_(options.questions, options.seed),
        lists_(options.seed, options.questions, options.shape, questions_.layout(), ids_) {}

  void write_bank() const {
    write(path("bank.jsonl"), options_.packing, 0, options_.questions,
          [this](std::uint64_t position, std::string& bytes) { append_question(position, bytes); });
  }

  void write_log(std::uint64_t log) const {
    write(path("search-" + std::to_string(log + 1) + ".log"), options_.packing,
          options_.lines * log / options_.logs, options_.lines * (log + 1) / options_.logs,
          [this](std::uint64_t line, std::string& bytes) { lists_.append_line(line, bytes); });
  }

  void write_planted() const {
    write(options_.folder + "/planted.tsv", Packing::plain, 0, options_.questions,
          [this](std::uint64_t question, std::string& bytes) { append_planted(question, bytes); });
  }

 private:
  static constexpr std::uint64_t rows_per_block = 20'000;

  [[nodiscard]] std::string path(const std::string& name) const {
    return options_.folder + "/" + name + std::string(ending(options_.packing));
  }

  // Makes blocks of rows side by side, and writes them in order.
  template <class AppendRow>
  void write(const std::string& path, Packing packing, std::uint64_t begin, std::uint64_t end,
             const AppendRow& append_row) const {
    const unsigned threads = thread_count(options_.threads);
    std::vector<std::string> blocks(std::size_t{threads} * 4);
    NewFile file(path);
    while (begin < end) {
      parallel_for(blocks.size(), threads, [&](std::size_t i) {
        const std::uint64_t block_begin = std::min(end, begin + i * rows_per_block);
        const std::uint64_t block_end = std::min(end, block_begin + rows_per_block);
        blocks[i].clear();
        for (std::uint64_t row = block_begin; row < block_end; ++row) append_row(row, blocks[i]);
        if (packing != Packing::plain && !blocks[i].empty()) blocks[i] = packed(blocks[i], packing);
      });
      for (const std::string& block : blocks) file.write(block);
      begin = std::min(end, begin + blocks.size() * rows_per_block);
    }
    file.close();
  }

  void append_question(std::uint64_t position, std::string& bytes) const {
    const std::uint64_t question = ids_.question_at(position);
    bytes += R"({"id":)";
    bytes += std::to_string(ids_.id_of(question));
    bytes += R"(,"text":")";
    questions_.append_text(question, bytes);
    bytes += "\"}\n";
  }

  void append_planted(std::uint64_t question, std::string& bytes) const {
    const Neighbourhood place = questions_.layout().around(question);
    const QuestionId id = ids_.id_of(question);
    QuestionId smallest = id;
    for (std::uint64_t i = 0; i < place.duplicates_size; ++i) {
      smallest = std::min(smallest, ids_.id_of(place.duplicates_begin + i));
    }
    if (smallest == id) return;
    bytes += std::to_string(id) + '\t' + std::to_string(smallest) + '\n';
  }

  const WeekOptions& options_;
  QuestionMaker questions_;
  QuestionIds ids_;
  ListMaker lists_;
};

}  // namespace

void make_week(const WeekOptions& options) {
  const WeekMaker maker(options);
  if (!options.logs_only) maker.write_bank();
  for (std::uint64_t log = 0; log < options.logs; ++log) maker.write_log(log);
  if (!options.logs_only) maker.write_planted();
}

}  // namespace qdedup::bench
