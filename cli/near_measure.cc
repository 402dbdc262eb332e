#include "cli/near_measure.h"

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "cli/commands.h"
#include "cli/output_file.h"
#include "db/bank_reading.h"
#include "db/snapshot.h"
#include "finder/equal_finder.h"
#include "import/line_reader.h"
#include "refine/duplicate_test.h"
#include "refine/unicode.h"

namespace qdedup::cli {
namespace {

// Takes the lines of a file that are not blank.
template <class TakeLine>
Status for_each_line(const std::string& path, const logs::Files& files, const TakeLine& take) {
  QDEDUP_ASSIGN_OR_RETURN(import::LineReader lines, import::open_lines(path, files));
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines.next());
    if (!more) return {};
    if (lines.too_long()) {
      return Error{ErrorCode::data, path + ": line " + std::to_string(lines.number()) +
                                        ": is too long; a line holds one word"};
    }
    const std::string_view line = import::without_blanks(lines.text());
    if (!line.empty()) QDEDUP_TRY(take(line, lines.number()));
  }
}

// Sentences and lines, each with what ends it.
std::vector<std::u32string_view> sentences_of(std::u32string_view text) {
  constexpr std::u32string_view ends = U"。！？!?；;\n";
  std::vector<std::u32string_view> sentences;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(ends);
    const std::size_t size = end == std::u32string_view::npos ? text.size() : end + 1;
    sentences.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return sentences;
}

// In their order; of equally long ones the first.
std::u32string longest_sentences(std::u32string_view text, std::size_t count) {
  std::vector<std::u32string_view> sentences = sentences_of(text);
  if (sentences.size() > count) {
    std::ranges::stable_sort(sentences, std::ranges::greater(), &std::u32string_view::size);
    sentences.resize(count);
    std::ranges::sort(sentences, {}, &std::u32string_view::data);
  }
  std::u32string longest;
  for (const std::u32string_view sentence : sentences) longest += sentence;
  return longest;
}

review::NearRow row_of(const iteration::NearPairs& near, const iteration::NearPair& pair, bool is_distance) {
  review::NearRow row{.id = near.ids[pair.question], .near_id = near.ids[pair.near]};
  (is_distance ? row.distance : row.hundredths) = pair.nearness;
  return row;
}

}  // namespace

std::vector<CLI::Option*> add_feature_options(CLI::App& command, FeatureOptions& options) {
  CLI::Option* compare = command.add_option("--compare", options.compare,
                                            "han: the Chinese part, or the signs of a text without one "
                                            "(default); text: the whole text, normalised");
  compare->check(CLI::IsMember({"han", "text"}));
  CLI::Option* features =
      command.add_option("--features", options.features, "grams: runs of characters (default); or words");
  features->check(CLI::IsMember({"grams", "words"}));
  CLI::Option* gram = command.add_option("--gram", options.gram, "Characters of a gram (default: 2)");
  gram->check(whole_number(1, 64));
  command.parse_complete_callback([&options, gram] {
    if (gram->count() > 0 && options.features == "words")
      throw CLI::ValidationError("--gram", "does not apply to --features words");
  });
  CLI::Option* keywords = command.add_option(
      "--keywords", options.keywords,
      "Only so many of a text's features count: the heaviest by --weights, then the rarest (default: all)");
  CLI::Option* sentences = command.add_option("--sentences", options.sentences,
                                              "Only a text's longest so many sentences count (default: all)");
  for (CLI::Option* number : {keywords, sentences}) number->check(whole_number(1, 1'000'000));
  CLI::Option* stop_words =
      command.add_option("--stop-words", options.stop_words, "Features that do not count, one a line");
  CLI::Option* weights =
      command.add_option("--weights", options.weights,
                         "Features, each with a weight from 1 to 5 after a tab; all others weigh 1");
  for (CLI::Option* file : {stop_words, weights}) file->type_name("FILE")->check(not_empty());
  return {compare, features, gram, keywords, sentences, stop_words, weights};
}

iteration::ComparedText compared_text(const FeatureOptions& options) {
  const auto chosen = [sentences = options.sentences](std::string_view text) {
    return sentences == 0 ? std::string(text)
                          : refine::to_utf8(longest_sentences(refine::to_utf32(text), sentences));
  };
  if (options.compare == "text")
    return [chosen](std::string_view text) { return refine::whole_text(chosen(text)); };
  return [chosen](std::string_view text) { return iteration::han_or_signs(chosen(text)); };
}

Result<refine::FeatureSettings> feature_settings(const FeatureOptions& options, const logs::Files& files) {
  refine::FeatureSettings settings{.gram = options.features == "words" ? 0 : options.gram,
                                   .keywords = options.keywords};
  if (!options.weights.empty()) {
    QDEDUP_TRY(
        for_each_line(options.weights, files, [&](std::string_view line, std::uint64_t number) -> Status {
          if (refine::add_weight(line, settings)) return {};
          return Error{ErrorCode::data, options.weights + ": line " + std::to_string(number) +
                                            ": expected a word, a tab and its weight from 1 to 5"};
        }));
  }
  if (!options.stop_words.empty()) {
    QDEDUP_TRY(for_each_line(options.stop_words, files, [&](std::string_view line, std::uint64_t) -> Status {
      refine::add_stop_word(line, settings);
      return {};
    }));
  }
  return settings;
}

Result<Nearness> nearness_of(std::pair<std::string_view, std::string_view> texts,
                             const FeatureOptions& options, db::Bank& bank, const CommandContext& context) {
  constexpr unsigned all_bits = 64;
  const iteration::ComparedText compared = compared_text(options);
  QDEDUP_ASSIGN_OR_RETURN(const refine::FeatureSettings features, feature_settings(options, context.files()));
  finder::SetFinder jaccard(
      {.measure = refine::SetMeasure::jaccard, .min_similarity = 0, .features = features});
  finder::SetFinder cosine(
      {.measure = refine::SetMeasure::cosine, .min_similarity = 0, .features = features});
  finder::SimhashFinder hamming({.distance = all_bits, .features = features});
  for (finder::NearFinder* finder : std::initializer_list<finder::NearFinder*>{&jaccard, &cosine, &hamming})
    QDEDUP_TRY(learn_bank(bank, *finder, compared, context.progress()));
  const auto of = [&](const finder::NearFinder& finder) -> std::optional<finder::Nearness> {
    const finder::Signature a = finder.signature(compared(texts.first));
    const finder::Signature b = finder.signature(compared(texts.second));
    return a.empty() || b.empty() ? std::nullopt : finder.near(a, b);
  };
  return Nearness{of(jaccard).value_or(0), of(cosine).value_or(0), of(hamming)};
}

Status learn_bank(db::Bank& bank, finder::NearFinder& finder, const iteration::ComparedText& compared,
                  const Progress& progress) {
  constexpr std::uint64_t reported_each = 16'384;
  std::uint64_t learnt = 0;
  QDEDUP_TRY(db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
    finder.learn(compared(question.text));
    if (++learnt % reported_each == 0) progress("learn", learnt, 0, "questions");
    return {};
  }));
  finder.finish_learning();
  return {};
}

Status write_pairs(const iteration::NearPairs& near, bool is_distance, db::Bank& bank,
                   review::ExportFormat format, std::ostream& out) {
  auto next = near.pairs.begin();
  return review::export_near_pairs(
      [&]() -> std::optional<review::NearRow> {
        if (next == near.pairs.end()) return {};
        return row_of(near, *next++, is_distance);
      },
      bank, format, out);
}

Result<std::uint64_t> report_equal_texts(const std::string& output, const CommandContext& context) {
  QDEDUP_ASSIGN_OR_RETURN(ReadableState state, context.open_for_reading());
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot snapshot, db::Snapshot::take(state.bank));
  QDEDUP_ASSIGN_OR_RETURN(
      const iteration::NearPairs near,
      iteration::near_pairs(state.bank, std::make_unique<finder::EqualFinder>(),
                            compared_text({.compare = "text"}), context.settings().resources.threads,
                            max_near_pairs, context.progress()));
  const auto format = review::export_format_named(list_format("", output));
  QDEDUP_TRY(write_output(output, context.folder(), context.out(), [&](std::ostream& out) {
    return write_pairs(near, false, state.bank, format, out);
  }));
  return near.pairs.size();
}

}  // namespace qdedup::cli
