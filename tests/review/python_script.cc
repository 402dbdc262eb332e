#include "tests/review/python_script.h"

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>
#include <unistd.h>

namespace qdedup::review {

namespace {

// A file of its own that goes away with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) : path_(testing::TempDir() + "qdedup-review-XXXXXX") {
    const int file = mkstemp(path_.data());
    EXPECT_EQ(write(file, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    close(file);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

nlohmann::json read_by_python(std::string_view script, std::string_view input) {
  const TemporaryFile file(input);
  const auto command =
      "python3 '" QDEDUP_SOURCE_DIR "/tests/review/" + std::string(script) + "' '" + file.path() + "'";
  FILE* const pipe = popen(command.c_str(), "r");
  std::string printed;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) printed += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return nlohmann::json::parse(printed, nullptr, false);
}

}  // namespace qdedup::review
