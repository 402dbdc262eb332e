#include "review/evaluation.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "review/deletion_list.h"

namespace qdedup::review {
namespace {

std::optional<std::uint64_t> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return hundredths_of_percent(part, whole);
}

std::uint64_t total(const ConfidenceCounts& counts) { return counts.safe + counts.doubtful; }

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

std::string table_text(std::string_view name, const ConfidenceTable& table, const ConfidenceTable& unequal) {
  std::string text = std::string(name) + "\n  label             safe  doubtful\n";
  for (const PairLabel label : labels) {
    text += row(label_name(label), table.of(label).safe, table.of(label).doubtful);
  }
  text += "  precision of safe  " + percent_text(table.precision_of_safe()) + "\n";
  text += "  precision of rule  " + percent_text(table.precision_of_rule()) + "\n";
  text += "  same kept safe     " + percent_text(table.same_kept_safe()) + "\n";
  return text + "  distance above 0   precision of safe " + percent_text(unequal.precision_of_safe()) +
         ", same kept safe " + percent_text(unequal.same_kept_safe()) + "\n";
}

ConfidenceTable of_subject(const EvaluatedPairs& pairs, const std::string& subject) {
  const auto found = pairs.subjects.find(subject);
  return found == pairs.subjects.end() ? ConfidenceTable() : found->second;
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
  for (const auto& [pair, reasons] : evaluation.worst()) {
    text += "  " + std::to_string(pair.small_id) + " " + std::to_string(pair.large_id) + " " +
            std::string(label_name(pair.label)) +
            (reasons.empty() ? ", but safe" : ", but doubtful: " + reasons.text()) + "\n";
  }
  if (evaluation.more_wrong() > 0) text += "  and " + std::to_string(evaluation.more_wrong()) + " more\n";
  return text.empty() ? text : "worst\n" + text;
}

Json percent_json(std::optional<std::uint64_t> hundredths) {
  if (!hundredths) return nullptr;
  return static_cast<double>(*hundredths) / 100;
}

Json table_json(const ConfidenceTable& table) {
  Json json;
  for (const PairLabel label : labels) {
    json[std::string(label_name(label))] = {{"safe", table.of(label).safe},
                                            {"doubtful", table.of(label).doubtful}};
  }
  json["precision_of_safe"] = percent_json(table.precision_of_safe());
  json["precision_of_rule"] = percent_json(table.precision_of_rule());
  json["same_kept_safe"] = percent_json(table.same_kept_safe());
  return json;
}

Json reasons_json(const Evaluation& evaluation) {
  Json json = Json::object();
  for (const auto& [reason, counts] : evaluation.reasons()) {
    for (const PairLabel label : labels) {
      json[reason][std::string(label_name(label))] = counts[static_cast<std::size_t>(label)];
    }
  }
  return json;
}

Json worst_json(const Evaluation& evaluation) {
  Json json = Json::array();
  for (const auto& [pair, reasons] : evaluation.worst()) {
    json.push_back({{"small_id", pair.small_id},
                    {"large_id", pair.large_id},
                    {"label", label_name(pair.label)},
                    {"labelled_by", pair.labelled_by},
                    {"subject", pair.subject},
                    {"confidence", reasons.empty() ? "safe" : "doubtful"},
                    {"reasons", reasons.text()}});
  }
  return json;
}

}  // namespace

void ConfidenceTable::add(PairLabel label, refine::Confidence confidence) {
  ConfidenceCounts& counts = counts_[static_cast<std::size_t>(label)];
  ++(confidence == refine::Confidence::safe ? counts.safe : counts.doubtful);
}

std::optional<std::uint64_t> ConfidenceTable::precision_of_safe() const {
  const std::uint64_t same = of(PairLabel::same).safe;
  return share(same, same + of(PairLabel::different).safe);
}

std::optional<std::uint64_t> ConfidenceTable::precision_of_rule() const {
  const std::uint64_t same = total(of(PairLabel::same));
  return share(same, same + total(of(PairLabel::different)));
}

std::optional<std::uint64_t> ConfidenceTable::same_kept_safe() const {
  return share(of(PairLabel::same).safe, total(of(PairLabel::same)));
}

void EvaluatedPairs::add(const LabelledPair& pair, const refine::Contrast& contrast) {
  all.add(pair.label, contrast.confidence);
  subjects[pair.subject].add(pair.label, contrast.confidence);
  reliability.add(pair.label, contrast.risk);
}

void Evaluation::add(const LabelledPair& pair, std::uint64_t distance, const refine::Contrast& contrast) {
  pairs_.add(pair, contrast);
  if (distance > 0) unequal_.add(pair, contrast);
  std::set<std::string> kinds;
  for (const refine::Finding& reason : contrast.reasons) kinds.insert(reason.kind);
  for (const std::string& kind : kinds) ++reasons_[kind][static_cast<std::size_t>(pair.label)];

  const bool safe = contrast.confidence == refine::Confidence::safe;
  const bool should_doubt = pair.label == PairLabel::different || pair.label == PairLabel::reordered;
  if (safe && should_doubt) wrongly_safe_.add({pair, {}});
  if (!safe && pair.label == PairLabel::same) {
    wrongly_doubtful_.add({pair, refine::reasons_of(contrast)});
  }
}

void Evaluation::FirstMisses::add(Miss miss) {
  const auto ids = [](const Miss& other) { return std::tuple(other.pair.small_id, other.pair.large_id); };
  list.insert(std::ranges::upper_bound(list, ids(miss), {}, ids), std::move(miss));
  if (list.size() <= max_worst) return;
  list.pop_back();
  ++more;
}

std::vector<Evaluation::Miss> Evaluation::worst() const {
  std::vector<Miss> list = wrongly_safe_.list;
  list.insert(list.end(), wrongly_doubtful_.list.begin(), wrongly_doubtful_.list.end());
  return list;
}

std::string evaluation_text(const Evaluation& evaluation) {
  const EvaluatedPairs& pairs = evaluation.pairs();
  const EvaluatedPairs& unequal = evaluation.unequal();
  std::string text = table_text("all", pairs.all, unequal.all);
  for (const auto& [subject, table] : pairs.subjects) {
    text +=
        "\n" + table_text(subject.empty() ? "(no subject)" : subject, table, of_subject(unequal, subject));
  }
  for (const std::string& each : {reliability_text("reliability of the risk", pairs.reliability),
                                  reliability_text("the same, distance above 0", unequal.reliability)}) {
    if (!each.empty()) text += "\n" + each;
  }
  if (const std::string reasons = reasons_text(evaluation); !reasons.empty()) text += "\n" + reasons;
  if (const std::string worst = worst_text(evaluation); !worst.empty()) text += "\n" + worst;
  if (evaluation.missing() > 0) {
    text += "\nnot in the bank, or without a text to compare: " + std::to_string(evaluation.missing()) +
            " pairs\n";
  }
  return text;
}

std::string evaluation_json(const Evaluation& evaluation) {
  const EvaluatedPairs& pairs = evaluation.pairs();
  const EvaluatedPairs& unequal = evaluation.unequal();
  Json json = table_json(pairs.all);
  json["unequal"] = table_json(unequal.all);
  json["subjects"] = Json::object();
  for (const auto& [subject, table] : pairs.subjects) {
    json["subjects"][subject] = table_json(table);
    json["subjects"][subject]["unequal"] = table_json(of_subject(unequal, subject));
  }
  json["reliability"] = reliability_json(pairs.reliability);
  json["reliability_unequal"] = reliability_json(unequal.reliability);
  json["reasons"] = reasons_json(evaluation);
  json["worst"] = worst_json(evaluation);
  json["more_wrong"] = evaluation.more_wrong();
  json["missing"] = evaluation.missing();
  return json_text(json) + "\n";
}

}  // namespace qdedup::review
