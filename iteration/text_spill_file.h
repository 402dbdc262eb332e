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

// The text and the answer of a question, and where they belong in their part.
struct PlacedText {
  std::uint32_t place = 0;
  std::string_view text;
  std::optional<std::string_view> answer;
};

// Texts that are read in one order and needed in another: each is put into a part, and the parts are fetched
// later, one at a time. A single part stays in memory. Several wait in a file without a name, of which
// nothing is left however the process ends; a file system without such files may keep an empty texts.tmp of a
// killed process until the next create().
class TextSpillFile {
 public:
  // The file, if one is needed, is in `folder`, with one such file at a time.
  static Result<TextSpillFile> create(const std::string& folder, std::size_t parts);

  // For one thread. Buffers up to `block_bytes` for each part.
  class Writer {
   public:
    explicit Writer(TextSpillFile& parts) : parts_(parts), blocks_(parts.parts_.size()) {}

    // Texts and answers have less than 2^32-1 bytes.
    [[nodiscard]] Status put(std::size_t part, const PlacedText& text);

    // Puts what is buffered; nothing may be put later.
    [[nodiscard]] Status finish();

   private:
    TextSpillFile& parts_;
    std::vector<std::string> blocks_;  // by part
  };

  // All texts of a part in blocks, in any order, once all writers have finished; a second time, none.
  Result<std::vector<std::string>> fetch(std::size_t part);

  // Takes the first text off a block, which its views point into.
  static PlacedText take_text(std::string_view& block);

 private:
  static constexpr std::size_t block_bytes = 1U << 16U;

  struct Stretch {
    std::uint64_t offset;  // in the file
    std::size_t bytes;
  };

  struct Part {
    std::vector<Stretch> stretches;
    std::vector<std::string> blocks;
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
