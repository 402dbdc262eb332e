#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace qdedup {

// An open file that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }

  [[nodiscard]] bool open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

  // Hands the open file over to the caller.
  int release() { return std::exchange(number_, -1); }
  void close();

 private:
  int number_ = -1;
};

// A path that leads to an open file or folder even after it was renamed; and whether a path begins with such
// a one.
inline constexpr std::string_view own_descriptors = "/proc/self/fd/";
inline std::string path_of(const FileDescriptor& file) {
  return std::string(own_descriptors) + std::to_string(file.number());
}
inline bool is_by_descriptor(std::string_view path) { return path.starts_with(own_descriptors); }

// The first `most` bytes of a file, or all if there are fewer; `path` is for the error.
Result<std::string> read_at_most(const FileDescriptor& file, const std::string& path, std::size_t most);

// The names of what is in a folder, without "." and "..", in no order. (Where memory runs out,
// std::filesystem's iterators end the process instead of throwing.)
Result<std::vector<std::string>> names_in(const std::string& folder);

// Syncs the folder that holds `path`, so that the name survives a loss of power. False: errno says why not.
[[nodiscard]] bool sync_folder_of(const std::string& path);

// Occupies those of the descriptors 0 to 2 that are closed, so that no file gets such a number and is taken
// for standard input or output: reading or writing them fails. Call it before anything is opened.
void reserve_standard_descriptors();

// Raises this process's limit of open files to the hard limit, if allowed. Only for programs that do not use
// select(2), which cannot handle descriptors above 1,023.
void raise_open_file_limit();

// How many files this process may have open at once.
std::size_t open_file_limit();

}  // namespace qdedup
