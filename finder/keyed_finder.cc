#include "finder/keyed_finder.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/containers.h"

namespace qdedup::finder {

void KeyedFinder::add(std::uint32_t number, std::span<const std::uint32_t> signature) {
  void* const place = signatures_.allocate(signature.size_bytes(), alignof(std::uint32_t));
  auto* const begin = static_cast<std::uint32_t*>(place);
  std::ranges::copy(signature, begin);
  texts_.push_back({number, static_cast<std::uint32_t>(signature.size()), begin});
}

template <class TakeKey>
void KeyedFinder::for_each_key(const std::function<void()>& moved, const TakeKey& take) const {
  constexpr std::size_t reported_each = 65'536;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t place = 0; place < texts_.size(); ++place) {
    if (place % reported_each == 0) moved();
    keys.clear();
    append_keys(texts_[place].signature(), keys);
    for (const std::uint32_t key : keys) take(place, key);
  }
}

// While the buckets are being filled, begins_[i + 1] is the present end of bucket i.
Status KeyedFinder::build(const Take& /*take*/, const std::function<void()>& moved) {
  constexpr std::size_t keys_per_bucket = 4;
  std::size_t keys = 0;
  for_each_key(moved, [&](std::uint32_t, std::uint32_t) { ++keys; });
  if (keys > max_keys_) {
    return Error{ErrorCode::config, "this finder would need more than " + std::to_string(max_keys_) +
                                        " keys for so many questions; it needs fewer with fewer --bands, or "
                                        "with a larger --window"};
  }
  bucket_bits_ = static_cast<unsigned>(std::bit_width(keys / keys_per_bucket));
  begins_.assign((std::size_t{1} << bucket_bits_) + 2, 0);
  places_.resize(keys);
  for_each_key(moved, [this](std::uint32_t, std::uint32_t key) { ++begins_[bucket_of(key) + 2]; });
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  for_each_key(moved, [this](std::uint32_t place, std::uint32_t key) {
    places_[begins_[bucket_of(key) + 1]++] = place;
  });
  return {};
}

// The positions before this one that share a bucket with it, ascending, without repetition; only the last
// ones of each bucket.
void KeyedFinder::gather(std::size_t place, Scratch& scratch) const {
  scratch.keys.clear();
  scratch.candidates.clear();
  append_keys(texts_[place].signature(), scratch.keys);
  sort_unique(scratch.keys);
  for (const std::uint32_t key : scratch.keys) __builtin_prefetch(&begins_[bucket_of(key)]);
  for (const std::uint32_t key : scratch.keys) __builtin_prefetch(places_.data() + begins_[bucket_of(key)]);
  for (const std::uint32_t key : scratch.keys) {
    const auto bucket = places_.begin() + begins_[bucket_of(key)];
    const auto end = std::lower_bound(bucket, places_.begin() + begins_[bucket_of(key) + 1], place);
    const auto looked_at = std::min(static_cast<std::size_t>(end - bucket), max_looked_at_);
    scratch.candidates.insert(scratch.candidates.end(), end - static_cast<std::ptrdiff_t>(looked_at), end);
  }
  sort_unique(scratch.candidates);
}

// `scratch.keys` ascend.
bool KeyedFinder::share_a_key(Scratch& scratch, const Text& other) const {
  scratch.other_keys.clear();
  append_keys(other.signature(), scratch.other_keys);
  return std::ranges::any_of(
      scratch.other_keys, [&](std::uint32_t key) { return std::ranges::binary_search(scratch.keys, key); });
}

std::uint64_t KeyedFinder::find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                const Take& take) const {
  constexpr std::size_t ahead = 8;
  Scratch scratch;
  std::uint64_t looked_at = 0;
  for (std::size_t place = begin; place < end; ++place) {
    const Text& text = texts_[place];
    gather(place, scratch);
    const std::vector<std::uint32_t>& candidates = scratch.candidates;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (i + 2 * ahead < candidates.size()) __builtin_prefetch(&texts_[candidates[i + 2 * ahead]]);
      if (i + ahead < candidates.size()) __builtin_prefetch(texts_[candidates[i + ahead]].begin);
      const Text& other = texts_[candidates[i]];
      if (!wanted(text.number, other.number)) continue;
      const std::optional<Nearness> nearness = near(text.signature(), other.signature());
      if (nearness && share_a_key(scratch, other)) take(text.number, other.number, *nearness);
    }
    looked_at += candidates.size();
  }
  return looked_at;
}

}  // namespace qdedup::finder
