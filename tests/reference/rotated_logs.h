#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace qdedup::reference {

// A program that writes a log, and the rotation of that log, in one: it does to the files of a folder what
// they do, and knows which lines are complete and where. No hashes, no marks, no inodes.
//
// app.log is written to; app.log.1, app.log.2 … are older and older, some with .gz or .zst behind.
class RotatedLogs {
 public:
  explicit RotatedLogs(std::string folder) : folder_(std::move(folder)) {}

  // Lines are numbered from 0 (numbered_line).
  void write_lines(int count);
  // A part of the next line; the next write_lines begins with the rest.
  void begin_line();

  // Renames all, the newest last. The writer goes on in app.log.1 until it reopens.
  void rotate();
  void reopen();

  // copytruncate: all older ones are renamed, app.log is copied to app.log.1; later it is cut.
  void copy();
  void cut();

  // To the lines before the last `count`, which stay written.
  void cut_back(int count);

  // The newest generation that is not packed yet and not written to any more; but so many lines come when the
  // packer has read it, and `before_removal` when they are written.
  void pack(
      const std::string& command, const std::string& ending, int late_lines = 0,
      const std::function<void()>& before_removal = [] {});

  // The oldest generation.
  void remove_oldest();

  [[nodiscard]] bool line_is_begun() const { return !rest_of_line_.empty(); }
  [[nodiscard]] bool is_reopened() const { return current_ == "app.log"; }
  [[nodiscard]] int generations() const;

  // How many lines are complete in all files, those that are gone included.
  [[nodiscard]] int complete_lines() const { return lines_; }

 private:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string generation(int number) const;
  void shift();

  std::string folder_;
  std::string current_ = "app.log";
  std::string rest_of_line_;
  int lines_ = 0;
};

}  // namespace qdedup::reference
