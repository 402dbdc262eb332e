#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace qdedup::bench {

enum class Packing { plain, gzip, zstd };

// What a file name gets behind it: "", ".gz" or ".zst".
std::string_view ending(Packing packing);

// One member of a file of this kind; members may follow one another.
std::string packed(std::string_view bytes, Packing packing);

// A file that is written from beginning to end. Stops the program, with a message, where that fails.
class NewFile {
 public:
  explicit NewFile(const std::string& path);

  void write(std::string_view bytes);
  void close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace qdedup::bench
