#include "refine/risk_model.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/parse_number.h"
#include "refine/parts.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

constexpr std::string_view heading = "feature\tcalculation\tother";
constexpr std::string_view intercept_name = "intercept";
constexpr std::string_view threshold_name = "highest-safe-risk";
constexpr std::int64_t max_weight = 1'000'000;  // 100 logits
constexpr std::size_t decimals = 4;

// "-1.2345" as ten-thousandths.
std::optional<std::int64_t> parse_weight(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || point == 0 || text.size() - point - 1 != decimals)
    return std::nullopt;
  std::string digits(text.substr(0, point));
  digits += text.substr(point + 1);
  const auto value = parse_number<std::int64_t>(digits);
  if (!value || *value > max_weight || digits.starts_with('-')) return std::nullopt;
  return negative ? -*value : *value;
}

std::string text_of(std::int64_t weight) {
  std::string digits = std::to_string(std::abs(weight));
  digits.insert(0, std::max(decimals + 1, digits.size()) - digits.size(), '0');
  digits.insert(digits.size() - decimals, ".");
  return weight < 0 ? '-' + digits : digits;
}

std::string line_of(std::string_view name, std::int64_t calculation, std::int64_t other) {
  return std::string(name) + '\t' + text_of(calculation) + '\t' + text_of(other) + '\n';
}

// The rows are those of the features, then that of the intercept, then that of the threshold.
std::size_t intercept_row() { return feature_names().size(); }
std::size_t threshold_row() { return feature_names().size() + 1; }

std::string_view name_of_row(std::size_t row) {
  if (row == intercept_row()) return intercept_name;
  return row == threshold_row() ? threshold_name : std::string_view(feature_names()[row]);
}

// Of calculations, then of others.
using Values = std::array<std::int64_t, 2>;

Result<std::pair<std::size_t, Values>> parse_row(std::string_view line) {
  const auto failure = [](std::string what) { return Error{ErrorCode::data, std::move(what)}; };
  if (std::ranges::count(line, '\t') != 2)
    return failure("three columns are needed: feature, calculation, other");
  const std::string_view name = take_until(line, '\t');
  std::size_t row = 0;
  while (row <= threshold_row() && name_of_row(row) != name) ++row;
  if (row > threshold_row()) return failure("no feature is called " + std::string(name));
  Values values{};
  for (std::int64_t& value : values) {
    const std::string_view cell = take_until(line, '\t');
    const std::optional<std::int64_t> weight = parse_weight(cell);
    if (!weight) return failure(std::string(cell) + " is no number with four decimals up to 100");
    value = *weight;
  }
  return std::pair(row, values);
}

}  // namespace

Result<RiskModel> RiskModel::read(std::string_view file, std::string_view text) {
  std::size_t number = 0;
  const auto failure = [&](const std::string& what) {
    return Error{ErrorCode::data, std::string(file) + ':' + std::to_string(number) + ": " + what};
  };
  std::vector<std::optional<Values>> rows(threshold_row() + 1);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  while (number < lines) {
    ++number;
    const std::string_view line = take_until(text, '\n');
    if (line.empty() || line.starts_with('#') || line == heading) continue;
    const auto parsed = parse_row(line);
    if (!parsed.ok()) return failure(parsed.error().message);
    const auto& [row, values] = *parsed;
    if (rows[row]) return failure(std::string(name_of_row(row)) + " stands twice");
    rows[row] = values;
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows[row]) return failure(std::string(name_of_row(row)) + " is missing");
  }
  const auto column = [&](std::size_t kind) {
    Weights weights;
    for (std::size_t row = 0; row < intercept_row(); ++row) weights.features.push_back((*rows[row])[kind]);
    weights.intercept = (*rows[intercept_row()])[kind];
    weights.highest_safe = Risk(static_cast<int>((*rows[threshold_row()])[kind]));
    return weights;
  };
  return RiskModel({column(0), column(1)});
}

RiskModel::RiskModel(std::array<Weights, 2> weights)
    : weights_(std::move(weights)), name_(hexadecimal(text_hash(text()))) {}

const RiskModel& RiskModel::shipped() {
  static const Result<RiskModel> model = read("refine/data/weights.txt", word_files().weights);
  if (!model.ok()) std::abort();  // a test reads the weights, so that malformed ones cannot be shipped
  return *model;
}

std::string RiskModel::text() const {
  const auto& [calculation, other] = weights_;
  std::string text = std::string(heading) + '\n';
  text += line_of(threshold_name, calculation.highest_safe.ten_thousandths(),
                  other.highest_safe.ten_thousandths());
  text += line_of(intercept_name, calculation.intercept, other.intercept);
  for (std::size_t i = 0; i < feature_names().size(); ++i) {
    text += line_of(feature_names()[i], calculation.features[i], other.features[i]);
  }
  return text;
}

Risk RiskModel::risk(const PairFeatures& features) const {
  const Weights& chosen = weights(features.calculates);
  constexpr std::int64_t one = 1000;  // of a feature
  std::int64_t logit = chosen.intercept * one;
  for (std::size_t i = 0; i < chosen.features.size(); ++i) logit += chosen.features[i] * features.values[i];
  const Risk risk = logistic(logit / one);
  return features.is_grave ? std::max(risk, least_doubtful_risk) : risk;
}

Confidence RiskModel::confidence(const PairFeatures& features) const {
  const bool safe = !features.is_grave && risk(features) <= weights(features.calculates).highest_safe;
  return safe ? Confidence::safe : Confidence::doubtful;
}

Risk logistic(std::int64_t logit) {
  // e^-(2^k / 10000) for k from 0, in units of 2^-31. Their product is e to the power of any number below 26.
  static constexpr std::array<std::uint64_t, 18> powers = {
      2147268910, 2147054194, 2146624826, 2145766348, 2144050421, 2140622684,
      2133783639, 2120171031, 2093205787, 2040299805, 1938465655, 1749791714,
      1425748245, 946576735,  417236013,  81065060,   3060114,    4361};
  constexpr int unit_bits = 31;
  const auto distance =
      std::min(static_cast<std::uint64_t>(std::abs(logit)), (std::uint64_t{1} << powers.size()) - 1);
  std::uint64_t power = std::uint64_t{1} << unit_bits;
  for (std::size_t bit = 0; bit < powers.size(); ++bit) {
    if ((distance >> bit & 1) != 0) power = (power * powers[bit]) >> unit_bits;
  }
  const std::uint64_t whole = (std::uint64_t{1} << unit_bits) + power;
  const auto smaller = static_cast<int>((power * Risk::certain + whole / 2) / whole);
  return Risk(logit < 0 ? smaller : Risk::certain - smaller);
}

}  // namespace qdedup::refine
