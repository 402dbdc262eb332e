#pragma once

namespace qdedup {

// How many of `count` rounds, texts or lines a test takes: all; with sanitizers, under which they take five
// times as long, a quarter.
template <class Count>
constexpr Count sampled(Count count) {
#ifdef QDEDUP_SANITIZED
  return count / 4;
#else
  return count;
#endif
}

}  // namespace qdedup
