#include "iteration/cluster_candidates.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t clusters_per_block = 512;

struct Question {
  QuestionSketch sketch;
  std::size_t place;
};

// Where signs do not count, they are taken for equal.
std::vector<Question> questions_with_text(std::span<const std::optional<QuestionSketch>> sketches,
                                          const refine::DuplicateSettings& settings) {
  std::vector<Question> questions;
  questions.reserve(sketches.size());
  for (std::size_t place = 0; place < sketches.size(); ++place) {
    if (!sketches[place]) continue;
    questions.push_back({*sketches[place], place});
    if (settings.signs == refine::SignRule::any) questions.back().sketch.signs = 0;
  }
  return questions;
}

// How many questions at the front have the signs of the first.
std::size_t equal_signs(std::span<const Question> questions) {
  std::size_t count = 1;
  while (count < questions.size() && questions[count].sketch.signs == questions[0].sketch.signs) ++count;
  return count;
}

}  // namespace

std::vector<std::uint32_t> candidate_groups(std::span<const std::optional<QuestionSketch>> sketches,
                                            const refine::DuplicateSettings& settings,
                                            std::uint64_t looks_per_question) {
  std::vector<Question> questions = questions_with_text(sketches, settings);
  std::ranges::sort(questions, {}, [](const Question& question) { return question.sketch.signs; });
  std::vector<std::uint32_t> groups(sketches.size());
  std::uint32_t group = 1;
  Partners partners;
  for (std::size_t begin = 0; begin < questions.size(); ++group) {
    const std::size_t size = equal_signs(std::span(questions).subspan(begin));
    if (size == 1) {
      ++begin;
      continue;
    }
    const auto may_pair = [&](std::size_t a, std::size_t b) {
      return refine::may_be_duplicates(questions[begin + a].sketch, questions[begin + b].sketch, settings);
    };
    const std::vector<bool>& paired = partners.find(size, looks_per_question * size, may_pair);
    for (std::size_t i = 0; i < size; ++i) groups[questions[begin + i].place] = paired[i] ? group : 0;
    begin += size;
  }
  return groups;
}

DependentClusters::DependentClusters(const engine::ClusterList& clusters, const engine::DeletionIndex& open,
                                     std::span<const engine::ClusterComponent> components,
                                     std::size_t questions_at_once)
    : clusters_(clusters), open_(open), components_(components) {
  while (ends_.size() < components.size() && ids_.size() < questions_at_once) {
    const engine::Component component = engine::dependent_component(components[ends_.size()], clusters, open);
    ids_.insert(ids_.end(), component.ids.begin(), component.ids.end());
    ends_.push_back(ids_.size());
  }
  seen_.resize(ids_.size());
}

void DependentClusters::look_at(const SketchTable& sketches, const refine::DuplicateSettings& settings,
                                unsigned threads, const Progress& progress) {
  const auto look = [&](std::size_t component) {
    const std::vector<std::optional<QuestionSketch>> found = sketches.of(ids(component));
    const bool decides = std::ranges::any_of(
        components_[component], [&](std::size_t cluster) { return clusters_.ids(cluster).size() > 1; });
    const std::vector<std::uint32_t> groups =
        decides ? candidate_groups(found, settings) : std::vector<std::uint32_t>(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Seen with_text = groups[i] != 0 ? Seen::candidate : Seen::no_candidate;
      seen_[begin(component) + i] = found[i] ? with_text : Seen::no_text;
    }
  };
  parallel_for(size(), threads, look, [&](std::size_t component) {
    progress("candidates", begin(component), ids_.size(), "questions");
  });
}

engine::Component DependentClusters::component(std::size_t number) const {
  engine::Component component = engine::dependent_component(components_[number], clusters_, open_);
  for (std::size_t i = 0; i < component.questions.size(); ++i) {
    const Seen seen = seen_[begin(number) + i];
    component.questions[i].has_text = seen != Seen::no_text;
    component.questions[i].is_candidate = seen == Seen::candidate;
  }
  return component;
}

IndependentClusters::IndependentClusters(const engine::ClusterList& clusters, std::size_t begin,
                                         std::size_t end, const std::vector<bool>& left_out,
                                         const std::optional<SketchTable>& sketches,
                                         const refine::DuplicateSettings& settings, unsigned threads,
                                         const Progress& progress) {
  const std::size_t blocks = (end - begin + clusters_per_block - 1) / clusters_per_block;
  std::vector<IndependentClusters> parts(blocks);
  const auto look = [&](std::size_t block) {
    const std::size_t first = begin + block * clusters_per_block;
    const std::size_t last = std::min(end, first + clusters_per_block);
    parts[block].add(clusters, first, last, left_out, sketches, settings);
  };
  parallel_for(blocks, threads, look, [&](std::size_t block) {
    progress("candidates", begin + block * clusters_per_block, clusters.size(), "clusters");
  });
  for (IndependentClusters& part : parts) {
    append(part);
    part = IndependentClusters();
  }
}

std::span<const QuestionId> IndependentClusters::ids(std::size_t cluster) const {
  const std::size_t begin = cluster == 0 ? 0 : ends_[cluster - 1];
  return std::span(ids_).subspan(begin, ends_[cluster] - begin);
}

// Looks up the sketches of all clusters together.
void IndependentClusters::add(const engine::ClusterList& clusters, std::size_t begin, std::size_t end,
                              const std::vector<bool>& left_out, const std::optional<SketchTable>& sketches,
                              const refine::DuplicateSettings& settings) {
  std::vector<QuestionId> ids;
  std::vector<std::size_t> ends;
  for (std::size_t cluster = begin; cluster < end; ++cluster) {
    if (left_out[cluster]) continue;
    ids.insert(ids.end(), clusters.ids(cluster).begin(), clusters.ids(cluster).end());
    ends.push_back(ids.size());
  }
  if (!sketches) {
    ids_ = std::move(ids);
    ends_ = std::move(ends);
    return;
  }
  const std::vector<std::optional<QuestionSketch>> seen = sketches->of(ids);
  std::size_t first = 0;
  for (const std::size_t last : ends) {
    add(std::span(ids).subspan(first, last - first), std::span(seen).subspan(first, last - first), settings);
    first = last;
  }
}

void IndependentClusters::add(std::span<const QuestionId> ids,
                              std::span<const std::optional<QuestionSketch>> seen,
                              const refine::DuplicateSettings& settings) {
  const std::vector<std::uint32_t> groups = candidate_groups(seen, settings);
  std::vector<std::pair<std::uint32_t, QuestionId>> left;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    missing_ += seen[i] ? 0 : 1;
    if (groups[i] != 0) left.emplace_back(groups[i], ids[i]);
  }
  std::ranges::sort(left);
  for (std::size_t i = 0; i < left.size(); ++i) {
    ids_.push_back(left[i].second);
    if (i + 1 == left.size() || left[i + 1].first != left[i].first) ends_.push_back(ids_.size());
  }
}

void IndependentClusters::append(const IndependentClusters& others) {
  const std::size_t offset = ids_.size();
  ids_.insert(ids_.end(), others.ids_.begin(), others.ids_.end());
  for (const std::size_t end : others.ends_) ends_.push_back(offset + end);
  missing_ += others.missing_;
}

}  // namespace qdedup::iteration
