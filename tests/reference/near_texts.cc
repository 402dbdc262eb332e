#include "tests/reference/near_texts.h"

#include <algorithm>

namespace qdedup::reference {
namespace {

bool share_a_key(const finder::TextScheme& scheme, const finder::Signature& a, const finder::Signature& b) {
  std::vector<std::uint32_t> keys_a;
  std::vector<std::uint32_t> keys_b;
  scheme.append_keys(a, keys_a);
  scheme.append_keys(b, keys_b);
  return std::ranges::find_first_of(keys_a, keys_b) != keys_a.end();
}

}  // namespace

bool NearTexts::arrived(QuestionId id, std::uint64_t arrival) {
  const auto found = texts_.find(id);
  if (found == texts_.end()) return false;
  found->second.arrival = std::max(found->second.arrival, arrival);
  return true;
}

std::size_t NearTexts::expire(std::uint64_t before) {
  return std::erase_if(texts_, [&](const auto& entry) { return entry.second.arrival < before; });
}

std::vector<QuestionId> NearTexts::near(const std::u32string& text) const {
  std::vector<QuestionId> ids;
  for (const auto& [id, other] : texts_) {
    if (scheme_.near(scheme_.signature(text), scheme_.signature(other.text))) ids.push_back(id);
  }
  return ids;
}

std::vector<QuestionId> NearTexts::near_by_key(const std::u32string& text) const {
  std::vector<QuestionId> ids = near(text);
  std::erase_if(ids, [&](QuestionId id) {
    return !share_a_key(scheme_, scheme_.signature(text), scheme_.signature(texts_.at(id).text));
  });
  return ids;
}

}  // namespace qdedup::reference
