#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/json.h"
#include "base/value_names.h"
#include "refine/set_similarity.h"

namespace qdedup::refine {

enum class Similarity { levenshtein, lcs, jaccard, cosine };
enum class SignRule { equal, any };       // any: signs do not count
enum class ComparedText { han, text };    // text: the whole normal form
enum class FeatureKind { grams, words };  // words: as ICU's dictionaries cut them

// What counts as alike (doc/rules.md, 3).
struct DuplicateSettings {
  int min_similarity = 80;  // percent, 1 to 100
  Similarity similarity = Similarity::levenshtein;
  SignRule signs = SignRule::equal;
  ComparedText compare = ComparedText::han;
  // What jaccard and cosine count.
  FeatureKind features = FeatureKind::grams;
  std::size_t gram = 2;  // characters, 1 to max_gram

  friend bool operator==(const DuplicateSettings&, const DuplicateSettings&) = default;
};

inline constexpr std::size_t max_gram = 64;

inline constexpr ValueNames<Similarity, 4> similarity_names = {{{Similarity::levenshtein, "levenshtein"},
                                                                {Similarity::lcs, "lcs"},
                                                                {Similarity::jaccard, "jaccard"},
                                                                {Similarity::cosine, "cosine"}}};
inline constexpr ValueNames<SignRule, 2> sign_rule_names = {
    {{SignRule::equal, "equal"}, {SignRule::any, "any"}}};
inline constexpr ValueNames<ComparedText, 2> compared_text_names = {
    {{ComparedText::han, "han"}, {ComparedText::text, "text"}}};
inline constexpr ValueNames<FeatureKind, 2> feature_kind_names = {
    {{FeatureKind::grams, "grams"}, {FeatureKind::words, "words"}}};

std::string_view name(Similarity similarity);

// The measure of sets; none if texts are compared by an edit distance.
constexpr std::optional<SetMeasure> set_measure(Similarity similarity) {
  if (similarity == Similarity::jaccard) return SetMeasure::jaccard;
  if (similarity == Similarity::cosine) return SetMeasure::cosine;
  return std::nullopt;
}

// Adds the settings to `json`, as iterations and plans record them: those of features only where they count.
void add_settings(const DuplicateSettings& settings, Json& json);

// What add_settings() recorded, with defaults for what is not there.
DuplicateSettings recorded_settings(const nlohmann::json& json);

}  // namespace qdedup::refine
