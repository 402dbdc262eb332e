#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace qdedup {

// A new, empty folder for one test, removed with everything in it at the end. Failures throw: a test that
// cannot have its folder has nothing to say.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "qdedup-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // The path of `name` in the folder, whether it exists or not.
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  // Writes the file `name` anew, and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    return write(name, bytes, std::ios::trunc);
  }

  // Writes behind what the file `name` holds, and returns its path.
  std::string append(std::string_view name, std::string_view bytes) const {
    return write(name, bytes, std::ios::app);
  }

  [[nodiscard]] std::string read(std::string_view name) const {
    std::ifstream file(*this / name, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + *this / name);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  [[nodiscard]] std::string write(std::string_view name, std::string_view bytes,
                                  std::ios::openmode mode) const {
    std::string file_path = *this / name;
    std::ofstream file(file_path, std::ios::binary | std::ios::out | mode);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + file_path);
    return file_path;
  }

  std::filesystem::path path_;
};

}  // namespace qdedup
