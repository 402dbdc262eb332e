#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/question_id.h"

namespace qdedup::finder {

// A hash, what it stands for, and when that came last by a clock of 16 bits (days, say), in 18 bytes, so that
// many can be held. Id 0 stands for nothing: the record was removed.
class HashRecord {
 public:
  static constexpr std::size_t bytes = 18;

  HashRecord() = default;
  HashRecord(std::uint64_t hash, QuestionId id, std::uint16_t arrival) {
    put(0, hash);
    put(8, id);
    put(16, arrival);
  }

  [[nodiscard]] std::uint64_t hash() const { return get<std::uint64_t>(0); }
  [[nodiscard]] QuestionId id() const { return get<QuestionId>(8); }
  [[nodiscard]] std::uint16_t arrival() const { return get<std::uint16_t>(16); }

  void set_arrival(std::uint16_t arrival) { put(16, arrival); }
  void remove() { put(8, QuestionId{0}); }
  [[nodiscard]] bool removed() const { return id() == 0; }

 private:
  template <class Number>
  [[nodiscard]] Number get(std::size_t at) const {
    Number number;
    std::memcpy(&number, bytes_.data() + at, sizeof number);
    return number;
  }
  template <class Number>
  void put(std::size_t at, Number number) {
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }

  std::array<unsigned char, bytes> bytes_{};
};

static_assert(sizeof(HashRecord) == HashRecord::bytes);

}  // namespace qdedup::finder
