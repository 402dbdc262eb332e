#pragma once

#include <cstddef>
#include <sstream>
#include <streambuf>

namespace qdedup::review {

// An output that takes `capacity` bytes and then no more, as a full disk does.
class FailingOutput : public std::streambuf {
 public:
  explicit FailingOutput(std::size_t capacity) : left_(capacity) {}

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override;
  int_type overflow(int_type byte) override;

 private:
  std::size_t left_;
};

// An output that takes all and then cannot bring it to where it belongs.
class UnflushableOutput : public std::stringbuf {
 protected:
  int sync() override { return -1; }
};

}  // namespace qdedup::review
