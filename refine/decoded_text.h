#pragma once

#include <cstddef>
#include <string_view>

#include "refine/scratch.h"
#include "refine/utf8_reader.h"

namespace qdedup::refine {

// The code points of a text (UTF-8; each malformed sequence is one U+FFFD), for as long as the object lives.
class DecodedText {
 public:
  explicit DecodedText(std::string_view text)
      : room_(text.size()), size_(static_cast<std::size_t>(decode(text, room_.data()) - room_.data())) {}

  [[nodiscard]] std::u32string_view code_points() const { return {room_.data(), size_}; }

 private:
  Scratch<1024> room_;
  std::size_t size_;
};

}  // namespace qdedup::refine
