#include "review/evaluation_report.h"

#include <nlohmann/json.hpp>

#include "review/percentage.h"

namespace qdedup::review {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_listed = 20;

constexpr std::array<PairLabel, pair_label_count> labels = {
    PairLabel::same, PairLabel::different, PairLabel::reordered, PairLabel::unclear, PairLabel::unknown};

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string row(std::string_view name, std::uint64_t safe, std::uint64_t doubtful) {
  std::string text = "  " + std::string(name);
  text.resize(std::max<std::size_t>(text.size(), 14), ' ');
  return text + padded(std::to_string(safe), 10) + padded(std::to_string(doubtful), 10) + "\n";
}

std::string percent_text(std::optional<std::uint64_t> hundredths) {
  return hundredths ? percent_digits(*hundredths) + " %" : "-";
}

std::string table_text(std::string_view name, const ConfidenceTable& table) {
  std::string text = std::string(name) + "\n  label             safe  doubtful\n";
  for (const PairLabel label : labels) {
    text += row(label_name(label), table.of(label).safe, table.of(label).doubtful);
  }
  text += "  precision of safe  " + percent_text(table.precision_of_safe()) + "\n";
  text += "  precision of rule  " + percent_text(table.precision_of_rule()) + "\n";
  return text + "  same kept safe     " + percent_text(table.same_kept_safe()) + "\n";
}

std::string reasons_text(const Evaluation& evaluation) {
  if (evaluation.reasons().empty()) return {};
  std::string text = "reasons for doubt\n";
  for (const auto& [reason, counts] : evaluation.reasons()) {
    text += "  " + reason + ":";
    for (const PairLabel label : labels) {
      const std::uint64_t count = counts[static_cast<std::size_t>(label)];
      if (count > 0) text += " " + std::string(label_name(label)) + " " + std::to_string(count);
    }
    text += "\n";
  }
  return text;
}

std::string worst_text(const Evaluation& evaluation) {
  std::string text;
  for (const auto& [pair, reasons] : evaluation.worst(most_listed)) {
    text += "  " + std::to_string(pair.small_id) + " " + std::to_string(pair.large_id) + " " +
            std::string(label_name(pair.label)) +
            (reasons.empty() ? ", but safe" : ", but doubtful: " + reasons) + "\n";
  }
  return text.empty() ? text : "worst\n" + text;
}

ordered_json percent_json(std::optional<std::uint64_t> hundredths) {
  if (!hundredths) return nullptr;
  return static_cast<double>(*hundredths) / 100;
}

ordered_json table_json(const ConfidenceTable& table) {
  ordered_json json;
  for (const PairLabel label : labels) {
    json[std::string(label_name(label))] = {{"safe", table.of(label).safe},
                                            {"doubtful", table.of(label).doubtful}};
  }
  json["precision_of_safe"] = percent_json(table.precision_of_safe());
  json["precision_of_rule"] = percent_json(table.precision_of_rule());
  json["same_kept_safe"] = percent_json(table.same_kept_safe());
  return json;
}

ordered_json reasons_json(const Evaluation& evaluation) {
  ordered_json json = ordered_json::object();
  for (const auto& [reason, counts] : evaluation.reasons()) {
    for (const PairLabel label : labels) {
      json[reason][std::string(label_name(label))] = counts[static_cast<std::size_t>(label)];
    }
  }
  return json;
}

ordered_json worst_json(const Evaluation& evaluation) {
  ordered_json json = ordered_json::array();
  for (const auto& [pair, reasons] : evaluation.worst(most_listed)) {
    json.push_back({{"small_id", pair.small_id},
                    {"large_id", pair.large_id},
                    {"label", label_name(pair.label)},
                    {"labelled_by", pair.labelled_by},
                    {"subject", pair.subject},
                    {"confidence", reasons.empty() ? "safe" : "doubtful"},
                    {"reasons", reasons}});
  }
  return json;
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) {
  std::string text = table_text("all", evaluation.all());
  for (const auto& [subject, table] : evaluation.subjects()) {
    text += "\n" + table_text(subject.empty() ? "(no subject)" : subject, table);
  }
  if (const std::string reasons = reasons_text(evaluation); !reasons.empty()) text += "\n" + reasons;
  if (const std::string worst = worst_text(evaluation); !worst.empty()) text += "\n" + worst;
  if (evaluation.missing() > 0) {
    text += "\nnot in the bank: " + std::to_string(evaluation.missing()) + " pairs\n";
  }
  return text;
}

std::string evaluation_json(const Evaluation& evaluation) {
  ordered_json json = table_json(evaluation.all());
  json["subjects"] = ordered_json::object();
  for (const auto& [subject, table] : evaluation.subjects()) json["subjects"][subject] = table_json(table);
  json["reasons"] = reasons_json(evaluation);
  json["worst"] = worst_json(evaluation);
  json["missing"] = evaluation.missing();
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace qdedup::review
