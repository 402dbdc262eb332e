#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace qdedup {

// Whether `bytes` is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF).
// Linear.
[[nodiscard]] bool is_utf8(std::string_view bytes);

// The length of the well-formed character that `bytes`, which are not empty, begin with; 0 if there is none
// (Unicode 15, table 3-7).
[[nodiscard]] std::size_t well_formed_length(std::string_view bytes);

// Whether a byte of UTF-8 is not the first of its character.
constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The first bytes of UTF-8, `most` or a few less: no character is split.
[[nodiscard]] std::string_view whole_characters(std::string_view text, std::size_t most);

// The same, followed by "…" if that is not all.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

// Reads UTF-8 in blocks of up to 64 bytes, with one bit for each: the starts of all sequences are found at
// once, whereas one by one each would have to wait for the length of the previous one. Handles only sequences
// of one and of three bytes (ASCII, Han characters and their punctuation); any other ends the block.
class Utf8Block {
 public:
  static constexpr std::size_t max_bytes = 64;

  // `bytes` must be at least `max_bytes` long; only the first `size` count.
  Utf8Block(const char* bytes, std::size_t size) {
    const std::uint64_t inside = size < max_bytes ? (std::uint64_t{1} << size) - 1 : ~std::uint64_t{0};
    const Masks masks = masks_of(bytes);
    const std::uint64_t expected = masks.lead_of_three << 1U | masks.lead_of_three << 2U;
    const std::uint64_t wrong = (masks.continuation ^ expected) | masks.other | ~inside;
    size_ = wrong == 0 ? max_bytes : static_cast<std::size_t>(std::countr_zero(wrong));
    // Leaves out an incomplete sequence at the end.
    const std::uint64_t leads = masks.lead_of_three;
    for (std::size_t back = 2; back > 0; --back) {
      if (size_ >= back && (leads >> (size_ - back) & 1U) != 0) size_ -= back;
    }
    const std::uint64_t counted = size_ < max_bytes ? (std::uint64_t{1} << size_) - 1 : ~std::uint64_t{0};
    starts_ = ~masks.continuation & counted;
  }

  // The number of leading bytes that are complete, well-formed sequences of one or three bytes.
  [[nodiscard]] std::size_t size() const { return size_; }

  // Writes their code points and returns the end. At least two more bytes must be readable after the last
  // one.
  char32_t* decode(const char* bytes, char32_t* to) const {
    for (std::uint64_t starts = starts_; starts != 0; starts &= starts - 1) {
      const auto* const at = reinterpret_cast<const unsigned char*>(bytes) + std::countr_zero(starts);
      const char32_t of_three = (at[0] & 0x0FU) << 12U | (at[1] & 0x3FU) << 6U | (at[2] & 0x3FU);
      const char32_t is_three = 0U - (at[0] >> 7U);  // a mask, because a branch would be unpredictable
      *to++ = (at[0] & ~is_three) | (of_three & is_three);
    }
    return to;
  }

 private:
  struct Masks {
    std::uint64_t continuation;   // 80 to BF
    std::uint64_t lead_of_three;  // E1 to EF without ED: any continuation bytes are well-formed after these
    std::uint64_t other;          // everything else but ASCII
  };

#if defined(__SSE2__)

  static Masks masks_of(const char* bytes) {
    Masks masks{};
    for (std::size_t i = 0; i < max_bytes; i += 16) {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
      const auto mask = [i](__m128i truth) {
        return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(truth))) << i;
      };
      // As signed bytes, 80 to BF are those below -64, and E1 to EF lie between -32 and -16.
      const std::uint64_t not_ascii = mask(block);
      const std::uint64_t continuation = mask(_mm_cmplt_epi8(block, _mm_set1_epi8(-64)));
      const std::uint64_t lead = mask(_mm_and_si128(_mm_cmpgt_epi8(block, _mm_set1_epi8(-32)),
                                                    _mm_cmplt_epi8(block, _mm_set1_epi8(-16)))) &
                                 ~mask(_mm_cmpeq_epi8(block, _mm_set1_epi8(-19)));
      masks.continuation |= continuation;
      masks.lead_of_three |= lead;
      masks.other |= not_ascii & ~continuation & ~lead;
    }
    return masks;
  }

#else

  static Masks masks_of(const char* bytes) {
    Masks masks{};
    for (std::size_t i = 0; i < max_bytes; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[i]);
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (byte < 0x80) continue;
      if (byte < 0xC0) {
        masks.continuation |= bit;
      } else if (byte > 0xE0 && byte < 0xF0 && byte != 0xED) {
        masks.lead_of_three |= bit;
      } else {
        masks.other |= bit;
      }
    }
    return masks;
  }

#endif

  std::uint64_t starts_ = 0;
  std::size_t size_ = 0;
};

}  // namespace qdedup
