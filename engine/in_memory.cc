#include "engine/in_memory.h"

#include <algorithm>
#include <cstdint>

#include "base/containers.h"
#include "engine/components.h"
#include "miner/union_find.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::engine {
namespace {

constexpr std::size_t texts_at_once = 16'384;

bool has_text(const refine::QuestionText& question) { return refine::is_compared(question.text); }

const IdentifiedText* find(std::span<const IdentifiedText> texts, QuestionId id) {
  const auto found = std::ranges::lower_bound(texts, id, {}, &IdentifiedText::first);
  return found != texts.end() && found->first == id ? &*found : nullptr;
}

void give_texts(std::span<const IdentifiedText> texts, Component& component) {
  for (std::size_t i = 0; i < component.ids.size(); ++i) {
    ComponentQuestion& question = component.questions[i];
    const IdentifiedText* const found = find(texts, component.ids[i]);
    question.has_text = found != nullptr && has_text(found->second);
    if (question.has_text) question.text = found->second;
  }
}

std::vector<IdentifiedText> comparable(std::span<const IdentifiedText> texts) {
  std::vector<IdentifiedText> all;
  std::ranges::copy_if(texts, std::back_inserter(all), has_text, &IdentifiedText::second);
  return all;
}

// Calls take(position, parts) for each text, in order.
template <class Take>
void for_each_parts(std::span<const IdentifiedText> texts, const refine::DuplicateSettings& settings,
                    const miner::WorkShare& share, const Take& take) {
  std::vector<refine::Parts> parts;
  for (std::size_t begin = 0; begin < texts.size(); begin += texts_at_once) {
    parts.resize(std::min(texts_at_once, texts.size() - begin));
    share(parts.size(),
          [&](std::size_t i) { parts[i] = refine::compared_parts(texts[begin + i].second.text, settings); });
    for (std::size_t i = 0; i < parts.size(); ++i) take(begin + i, parts[i]);
  }
}

// The values that occur more than once, ascending.
std::vector<std::uint64_t> repeated(std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  std::vector<std::uint64_t> found;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] == values[i - 1] && (found.empty() || found.back() != values[i]))
      found.push_back(values[i]);
  }
  return found;
}

}  // namespace

std::vector<std::vector<QuestionId>> clusters_of(std::span<const CandidateEdge> edges) {
  std::vector<QuestionId> ids;
  ids.reserve(2 * edges.size());
  for (const auto& [a, b] : edges) ids.insert(ids.end(), {a, b});
  sort_unique(ids);
  return miner::connected_sets(ids, edges);
}

refine::AnnotatedOutcome decide(std::span<const IdentifiedText> texts,
                                std::vector<std::vector<QuestionId>> clusters, const Past& past,
                                const Measure& measure, const miner::WorkShare& share) {
  clusters.insert(clusters.end(), past.reopened.begin(), past.reopened.end());
  const miner::Clusters none;
  const ClusterList list(none, clusters);
  std::vector<Component> components;
  for (const ClusterComponent& numbers : dependent_components(list, past.open)) {
    components.push_back(dependent_component(numbers, list, past.open));
    give_texts(texts, components.back());
  }
  refine::AnnotatedOutcome outcome = decide(std::move(components), past, measure, share, [] {});
  outcome.sort();
  return outcome;
}

refine::AnnotatedOutcome sweep(std::span<const IdentifiedText> texts, const Past& past,
                               const Measure& measure, const GroupLimits& limits) {
  const refine::DuplicateSettings& settings = measure.settings.duplicates;
  const std::vector<IdentifiedText> compared = comparable(texts);
  std::vector<std::uint64_t> fingerprints(compared.size());
  for_each_parts(compared, settings, limits.share, [&](std::size_t i, const refine::Parts& parts) {
    fingerprints[i] = refine::sign_fingerprint(parts);
  });
  const std::vector<std::uint64_t> shared = repeated(fingerprints);
  SignGrouping grouping(shared, compared.size());
  for_each_parts(compared, settings, limits.share, [&](std::size_t i, const refine::Parts& parts) {
    if (!std::ranges::binary_search(shared, fingerprints[i])) return;
    const auto& [id, question] = compared[i];
    grouping.add({id, refine::text_hash(question.text), 0, false}, fingerprints[i], parts);
  });
  SignGroups groups = std::move(grouping).finish();
  refine::KeeperChoice choice = decide_groups(groups, past, settings, limits, [](std::size_t) {});
  choice.sort();
  const auto row = [&](const refine::Deletion& pair) {
    const auto question = [&](QuestionId id) {
      return ComparedQuestion(id, find(compared, id)->second, settings);
    };
    return annotate(question(pair.question), question(pair.keeper), measure).value();
  };
  return choice.with_rows(row, limits.share);
}

}  // namespace qdedup::engine
