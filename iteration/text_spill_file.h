#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace qdedup::iteration {

// The text and the answer of a question, and where they belong in their part. The views hold as long as what
// they were put from, or fetched to.
struct PlacedText {
  std::uint32_t place = 0;
  std::string_view text;
  std::optional<std::string_view> answer;
};

// Texts that are read in one order and needed in another: each is put into a part, and the parts are fetched
// later, one at a time. A single part stays in memory. Several wait in a file that has no name, so that
// nothing of it is left however the process ends. Only a file system that makes no such files may keep an
// empty texts.tmp, of a process killed at that moment; the next create() removes it.
class TextSpillFile {
 public:
  // The file, if one is needed, takes its space in `folder`, for which one at a time is created.
  static Result<TextSpillFile> create(const std::string& folder, std::size_t parts);

  // What one thread puts. Holds up to `block_bytes` for each part.
  class Writer {
   public:
    explicit Writer(TextSpillFile& parts) : parts_(parts), blocks_(parts.parts_.size()) {}

    // Texts and answers have less than 2^32-1 bytes.
    [[nodiscard]] Status put(std::size_t part, const PlacedText& text);

    // Puts what is left; nothing may be put later.
    [[nodiscard]] Status finish();

   private:
    TextSpillFile& parts_;
    std::vector<std::string> blocks_;  // by part
  };

  // Some texts, one after another, as a part holds them.
  class Block {
   public:
    explicit Block(std::string bytes) : bytes_(std::move(bytes)) {}

    // Calls take(PlacedText) for each; the views hold as long as the block stays where it is.
    template <class Take>
    void for_each(const Take& take) const {
      for (std::string_view rest = bytes_; !rest.empty();) take(take_text(rest));
    }

   private:
    static PlacedText take_text(std::string_view& bytes);

    std::string bytes_;
  };

  // All texts of a part, in any order, once all writers have finished; a second time, none.
  Result<std::vector<Block>> fetch(std::size_t part);

 private:
  static constexpr std::size_t block_bytes = 1U << 16U;

  struct Stretch {
    std::uint64_t offset;  // in the file
    std::size_t bytes;
  };

  struct Part {
    std::vector<Stretch> stretches;
    std::vector<Block> blocks;
  };

  TextSpillFile(std::string folder, std::size_t parts, FileDescriptor file)
      : folder_(std::move(folder)), file_(std::move(file)), parts_(parts), guard_(new std::mutex) {}

  Status append(std::size_t part, std::string& block);

  std::string folder_;
  FileDescriptor file_;  // closed: all stays in memory
  std::vector<Part> parts_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<std::mutex> guard_;  // of the two above
};

}  // namespace qdedup::iteration
