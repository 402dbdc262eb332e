#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/session.h"

namespace qdedup::cli {

// Tells which rows of a file of questions cannot be used, and why: the first hundred one by one, more are
// only counted. The session must outlive it.
class RejectedRows {
 public:
  RejectedRows(const Session& session, std::string path) : session_(session), path_(std::move(path)) {}

  void tell(std::uint64_t line, std::string_view reason, std::string_view detail);
  void tell_rest() const;  // at the end of the file

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  const Session& session_;
  std::string path_;
  std::uint64_t count_ = 0;
};

}  // namespace qdedup::cli
