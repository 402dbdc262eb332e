#pragma once

#include <cstdint>
#include <vector>

namespace qdedup::finder {

// Some blocks of the bits of a hash, one behind the other.
class HashBlocks {
 public:
  // Of 64 bits cut into `count` blocks as equal as can be, the first at the top; `chosen` ascend.
  HashBlocks(unsigned count, const std::vector<unsigned>& chosen);

  [[nodiscard]] std::uint64_t of(std::uint64_t hash) const {
    std::uint64_t key = 0;
    for (const Block& block : blocks_) {
      key = key << block.width | (hash >> block.shift & ((std::uint64_t{1} << block.width) - 1));
    }
    return key;
  }

  // Whether two hashes that differ in these bits (a ^ b) are the same in all the blocks.
  [[nodiscard]] bool spare(std::uint64_t difference) const { return (difference & mask_) == 0; }

  // 1 to 63.
  [[nodiscard]] unsigned width() const { return width_; }

 private:
  struct Block {
    unsigned shift;
    unsigned width;
  };

  std::vector<Block> blocks_;
  std::uint64_t mask_ = 0;
  unsigned width_ = 0;
};

// All choices of `levels` blocks, of as many that two hashes that differ in `distance` bits agree in one
// choice at least: `distance` + `levels` blocks, as `distance` of them can be destroyed. The first choice is
// that of the first blocks.
std::vector<HashBlocks> all_choices(unsigned distance, unsigned levels);

}  // namespace qdedup::finder
