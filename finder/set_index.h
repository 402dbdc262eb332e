#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "refine/duplicate_test.h"

namespace qdedup::finder {

// Finds, among texts, all whose sets of features are similar enough to those of a given one, by a set
// measure; none is missed, as two such sets share one of the first features of each (finder/set_finder.h), in
// any order of features. This order has the rarest first.
class SetIndex {
 public:
  // For texts of which learn() got a part.
  explicit SetIndex(const refine::DuplicateSettings& settings);

  // Approximate memory for each text of this length, if there are many.
  static std::size_t bytes_each(std::size_t length, const refine::DuplicateSettings& settings);

  // Counts the features of a text, to know the rare ones. Before the first add().
  void learn(std::u32string_view text);

  void add(std::uint32_t number, std::u32string_view text);

  // The numbers of all such texts, ascending, in `found`. `compared` is called for each that is compared.
  void find_all(std::u32string_view text, std::vector<std::uint32_t>& found,
                const std::function<void()>& compared) const;

 private:
  struct Text {
    std::uint32_t number;
    std::uint32_t size;
    std::size_t begin;  // in features_
  };

  // The first features in that order, as many as have to be looked at.
  [[nodiscard]] std::vector<refine::Feature> first_of(std::span<const refine::Feature> set) const;
  [[nodiscard]] std::span<const refine::Feature> set_of(const Text& text) const {
    return std::span(features_).subspan(text.begin, text.size);
  }
  [[nodiscard]] std::size_t counter_of(refine::Feature feature) const {
    return static_cast<std::size_t>(feature & (texts_with_.size() - 1));
  }
  [[nodiscard]] bool is_similar(std::span<const refine::Feature> a, std::span<const refine::Feature> b) const;

  refine::DuplicateSettings settings_;
  refine::SetMeasure measure_;
  std::uint64_t min_similarity_;
  std::vector<std::uint32_t> texts_with_;  // by hash of the feature; empty if nothing was learnt
  std::vector<Text> texts_;
  std::vector<refine::Feature> features_;
  std::unordered_map<refine::Feature, std::vector<std::uint32_t>> places_;  // in texts_
  std::vector<std::uint32_t> empty_;  // numbers of texts without features
};

}  // namespace qdedup::finder
