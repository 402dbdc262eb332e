// Makes a bank and a week of logs of any size: make_week FOLDER [--questions N] [--lines N] … (see --help).

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "bench/week.h"

namespace qdedup::bench {
namespace {

int run(int argc, char** argv) {
  static const std::map<std::string, Packing> packings = {
      {"plain", Packing::plain}, {"gzip", Packing::gzip}, {"zstd", Packing::zstd}};
  static const std::map<std::string, Shape> shapes = {{"usual", Shape::usual},
                                                      {"one-question", Shape::one_question},
                                                      {"same-signs", Shape::same_signs},
                                                      {"long-lists", Shape::long_lists},
                                                      {"one-character", Shape::one_character}};
  WeekOptions options;
  CLI::App app("Makes a question bank, a week of search logs over it, and the list of planted duplicates.");
  app.add_option("folder", options.folder, "where the files go; made where needed")->required();
  app.add_option("--questions", options.questions, "size of the bank")->check(CLI::PositiveNumber);
  app.add_option("--lines", options.lines, "result lists in all logs together");
  app.add_option("--logs", options.logs, "number of log files")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "another seed, another week");
  app.add_option("--threads", options.threads, "0: as many as there are cores");
  app.add_option("--packing", options.packing, "plain, gzip or zstd")
      ->transform(CLI::CheckedTransformer(packings));
  app.add_option("--shape", options.shape,
                 "usual, or a worst case: one-question, same-signs, long-lists, one-character")
      ->transform(CLI::CheckedTransformer(shapes));
  app.add_flag("--logs-only", options.logs_only, "no bank, only logs over it");
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(options.folder);
  make_week(options);
  return 0;
}

}  // namespace
}  // namespace qdedup::bench

int main(int argc, char** argv) {
  try {
    return qdedup::bench::run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "make_week: %s\n", failure.what());
    return 70;
  }
}
