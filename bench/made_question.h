#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "bench/layout.h"
#include "bench/random_stream.h"

namespace qdedup::bench {

// Draws Han characters as often as they occur (measured.h). The first few hundred are common characters, the
// others come from U+4E00 to U+9FA5.
class Characters {
 public:
  Characters();

  [[nodiscard]] char32_t draw(RandomStream& random) const { return drawn_[random.bits() >> 48U]; }

 private:
  std::array<char16_t, 65536> drawn_{};
};

// Makes question texts. The text of a question depends on seed and number alone.
class QuestionMaker {
 public:
  QuestionMaker(std::uint64_t seed, std::uint64_t questions, Shape shape)
      : seed_(seed), shape_(shape), layout_(questions, shape) {}

  [[nodiscard]] const Layout& layout() const { return layout_; }

  // Appends the text (UTF-8, nothing in it that JSON would escape). Duplicates have the signs of their
  // original and differ from it in at most a tenth of its Han characters, so that any two of them pass the
  // duplicate test at 80 %.
  void append_text(std::uint64_t question, std::string& utf8) const;

 private:
  [[nodiscard]] std::u32string original(std::uint64_t question, std::uint64_t topic) const;
  void edit(std::u32string& text, std::uint64_t question) const;
  void add_clause(std::u32string& text, std::uint64_t topic, bool choice, RandomStream& random) const;
  void add_characters(std::u32string& text, std::size_t count, RandomStream& random) const;

  std::uint64_t seed_;
  Shape shape_;
  Layout layout_;
  Characters characters_;
};

}  // namespace qdedup::bench
