#pragma once

#include <string>

#include "finder/near_finder.h"

namespace qdedup::finder {

// Whatever is not empty is near what equals it, and nothing else: there is nothing to look up.
class EqualFinder final : public NearFinder {
 public:
  [[nodiscard]] std::string name() const override { return "equal"; }
  void expect(std::size_t /*texts*/) override {}
  [[nodiscard]] Signature signature(std::u32string_view text) const override {
    return text.empty() ? Signature() : Signature{1};
  }
  [[nodiscard]] std::optional<Nearness> near(std::span<const std::uint32_t> /*a*/,
                                             std::span<const std::uint32_t> /*b*/) const override {
    return all_shared;
  }
  void add(std::uint32_t /*number*/, std::span<const std::uint32_t> /*signature*/) override {}
  Status build(const Take& /*take*/, const std::function<void()>& /*moved*/) override { return {}; }
  [[nodiscard]] std::size_t size() const override { return 0; }
  [[nodiscard]] std::uint64_t find(std::size_t /*begin*/, std::size_t /*end*/, const Wanted& /*wanted*/,
                                   const Take& /*take*/) const override {
    return 0;
  }
};

}  // namespace qdedup::finder
