#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "finder/near_finder.h"
#include "finder/set_finder.h"
#include "finder/simhash_finder.h"
#include "iteration/near_groups.h"
#include "review/export.h"

namespace qdedup::cli {

// What of a text is compared by a measure of nearness, and how it is cut into features.
struct FeatureOptions {
  std::string compare = "han";
  std::string features = "grams";
  std::size_t gram = refine::FeatureSettings().gram;
  std::size_t keywords = 0;
  std::size_t sentences = 0;
  std::string stop_words{};  // files; empty: none
  std::string weights{};
};

std::vector<CLI::Option*> add_feature_options(CLI::App& command, FeatureOptions& options);

iteration::ComparedText compared_text(const FeatureOptions& options);

// Reads the files. Errors name the file and the line.
Result<refine::FeatureSettings> feature_settings(const FeatureOptions& options, const logs::Files& files);

// How near two questions of the bank are by each measure.
struct Nearness {
  finder::Nearness jaccard = 0;
  finder::Nearness cosine = 0;
  std::optional<finder::Nearness> hamming{};  // none if one of them has no features
};

Result<Nearness> nearness_of(std::pair<std::string_view, std::string_view> texts,
                             const FeatureOptions& options, db::Bank& bank, const CommandContext& context);

// 12 bytes each.
inline constexpr std::size_t max_near_pairs = 50'000'000;

// With a distance in bits, or a similarity.
Status write_pairs(const iteration::NearPairs& near, bool is_distance, db::Bank& bank,
                   review::ExportFormat format, std::ostream& out);

// Writes a list of the questions whose text, in its normal form, another one has. Returns how many there are
// beside the first ones.
Result<std::uint64_t> report_equal_texts(const std::string& output, const CommandContext& context);

// Lets the finder learn the texts of the bank.
Status learn_bank(db::Bank& bank, finder::NearFinder& finder, const iteration::ComparedText& compared,
                  const Progress& progress);

}  // namespace qdedup::cli
