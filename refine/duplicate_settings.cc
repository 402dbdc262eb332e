#include "refine/duplicate_settings.h"

#include <string>

#include <nlohmann/json.hpp>

namespace qdedup::refine {
namespace {

template <class Value, std::size_t Size>
void read_name(const nlohmann::json& json, const char* key, const ValueNames<Value, Size>& names,
               Value& target) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return;
  target = value_in(names, found->get_ref<const std::string&>()).value_or(target);
}

}  // namespace

std::string_view name(Similarity similarity) { return name_in(similarity_names, similarity); }

void add_settings(const DuplicateSettings& settings, Json& json) {
  json["min_similarity"] = settings.min_similarity;
  json["similarity"] = name(settings.similarity);
  json["signs"] = name_in(sign_rule_names, settings.signs);
  json["compare"] = name_in(compared_text_names, settings.compare);
  if (!set_measure(settings.similarity)) return;
  json["features"] = name_in(feature_kind_names, settings.features);
  if (settings.features == FeatureKind::grams) json["gram"] = settings.gram;
}

DuplicateSettings recorded_settings(const nlohmann::json& json) {
  DuplicateSettings settings;
  if (!json.is_object()) return settings;
  const auto percent = json.find("min_similarity");
  if (percent != json.end() && percent->is_number_integer()) settings.min_similarity = percent->get<int>();
  read_name(json, "similarity", similarity_names, settings.similarity);
  read_name(json, "signs", sign_rule_names, settings.signs);
  read_name(json, "compare", compared_text_names, settings.compare);
  read_name(json, "features", feature_kind_names, settings.features);
  const auto gram = json.find("gram");
  if (gram != json.end() && gram->is_number_unsigned()) settings.gram = gram->get<std::size_t>();
  return settings;
}

}  // namespace qdedup::refine
