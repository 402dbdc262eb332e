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

// The text and the answer of a question, and their position in their part.
struct PlacedText {
  std::uint32_t place = 0;
  std::string_view text;
  std::optional<std::string_view> answer;
};

// Texts that are read in one order and needed in another: each is put into a part, and the parts are fetched
// later, one at a time. A single part stays in memory. Several are stored in an unnamed file, which
// disappears however the process ends. If the file system has no such files, a killed process may leave an
// empty texts.tmp until the next create().
class TextSpillFile {
 public:
  // If a file is needed, it is in `folder`, one per folder at a time.
  static Result<TextSpillFile> create(const std::string& folder, std::size_t parts);

  // Not thread-safe. Buffers up to `block_bytes` for each part.
  class Writer {
   public:
    explicit Writer(TextSpillFile& parts) : parts_(parts), blocks_(parts.parts_.size()) {}

    // Texts and answers must be shorter than 2^32-1 bytes.
    [[nodiscard]] Status put(std::size_t part, const PlacedText& text);

    // Writes what is buffered; put() must not be called afterwards.
    [[nodiscard]] Status finish();

   private:
    TextSpillFile& parts_;
    std::vector<std::string> blocks_;  // by part
  };

  // All texts of a part, in blocks, in any order; call it after all writers have finished. A second call
  // returns none.
  Result<std::vector<std::string>> fetch(std::size_t part);

  // Removes the first text from a block, which the returned views point into.
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
  FileDescriptor file_;  // closed: everything stays in memory
  std::vector<Part> parts_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<std::mutex> guard_;  // for the two above
};

}  // namespace qdedup::iteration
