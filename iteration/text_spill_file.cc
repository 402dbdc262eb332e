#include "iteration/text_spill_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace qdedup::iteration {
namespace {

constexpr std::uint32_t no_answer = 0xFFFFFFFF;

// The header of a text; the bytes of text and answer follow.
struct Head {
  std::uint32_t place;
  std::uint32_t text_bytes;
  std::uint32_t answer_bytes;  // or no_answer
};

Error failed(const std::string& folder, int reason) {
  return errno_error(folder + ": temporary file of texts", reason);
}

// If the file system has no unnamed files, the name is always the same, and a file left under it is removed
// now.
Result<FileDescriptor> nameless_file(const std::string& folder) {
  const std::string name = folder + "/texts.tmp";
  ::unlink(name.c_str());
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));  // NOLINT(*-vararg)
  if (file.open()) return file;
  file =
      FileDescriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));  // NOLINT(*-vararg)
  if (!file.open()) return failed(folder, errno);
  ::unlink(name.c_str());
  return file;
}

// Calls move(bytes done), which is pread or pwrite, until all `bytes` are done.
template <class Move>
bool move_all(std::size_t bytes, const Move& move) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t moved = move(done);
    if (moved == 0) errno = EIO;
    if (moved <= 0 && errno != EINTR) return false;
    if (moved > 0) done += static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

Result<TextSpillFile> TextSpillFile::create(const std::string& folder, std::size_t parts) {
  if (parts <= 1) return TextSpillFile(folder, parts, FileDescriptor());
  QDEDUP_ASSIGN_OR_RETURN(FileDescriptor file, nameless_file(folder));
  return TextSpillFile(folder, parts, std::move(file));
}

Status TextSpillFile::Writer::put(std::size_t part, const PlacedText& text) {
  const Head head{text.place, static_cast<std::uint32_t>(text.text.size()),
                  text.answer ? static_cast<std::uint32_t>(text.answer->size()) : no_answer};
  std::string& block = blocks_[part];
  const std::size_t bytes = sizeof head + text.text.size() + (text.answer ? text.answer->size() : 0);
  if (!block.empty() && block.size() + bytes > block_bytes) QDEDUP_TRY(parts_.append(part, block));
  block.append(reinterpret_cast<const char*>(&head), sizeof head);
  block += text.text;
  if (text.answer) block += *text.answer;
  return {};
}

Status TextSpillFile::Writer::finish() {
  for (std::size_t part = 0; part < blocks_.size(); ++part) {
    if (!blocks_[part].empty()) QDEDUP_TRY(parts_.append(part, blocks_[part]));
  }
  return {};
}

PlacedText TextSpillFile::take_text(std::string_view& block) {
  Head head{};
  std::memcpy(&head, block.data(), sizeof head);
  block.remove_prefix(sizeof head);
  PlacedText text{head.place, block.substr(0, head.text_bytes), std::nullopt};
  block.remove_prefix(head.text_bytes);
  if (head.answer_bytes == no_answer) return text;
  text.answer = block.substr(0, head.answer_bytes);
  block.remove_prefix(head.answer_bytes);
  return text;
}

// Empties `block`.
Status TextSpillFile::append(std::size_t part, std::string& block) {
  Stretch stretch{0, block.size()};
  {
    const std::lock_guard lock(*guard_);
    if (!file_.open()) {
      parts_[part].blocks.push_back(std::exchange(block, {}));
      return {};
    }
    stretch.offset = std::exchange(file_bytes_, file_bytes_ + block.size());
    parts_[part].stretches.push_back(stretch);
  }
  const bool written = move_all(block.size(), [&](std::size_t done) {
    return ::pwrite(file_.number(), block.data() + done, block.size() - done,
                    static_cast<off_t>(stretch.offset + done));
  });
  block.clear();
  return written ? Status() : Status(failed(folder_, errno));
}

Result<std::vector<std::string>> TextSpillFile::fetch(std::size_t part) {
  std::vector<std::string> blocks = std::exchange(parts_[part].blocks, {});
  for (const Stretch& stretch : std::exchange(parts_[part].stretches, {})) {
    std::string bytes(stretch.bytes, '\0');
    const bool read = move_all(bytes.size(), [&](std::size_t done) {
      return ::pread(file_.number(), bytes.data() + done, bytes.size() - done,
                     static_cast<off_t>(stretch.offset + done));
    });
    if (!read) return failed(folder_, errno);
    blocks.push_back(std::move(bytes));
  }
  return blocks;
}

}  // namespace qdedup::iteration
