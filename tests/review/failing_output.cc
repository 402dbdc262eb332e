#include "tests/review/failing_output.h"

#include <algorithm>

namespace qdedup::review {

std::streamsize FailingOutput::xsputn(const char* /*bytes*/, std::streamsize size) {
  const auto taken = std::min(left_, static_cast<std::size_t>(size));
  left_ -= taken;
  return static_cast<std::streamsize>(taken);
}

FailingOutput::int_type FailingOutput::overflow(int_type byte) {
  if (left_ == 0) return traits_type::eof();
  --left_;
  return traits_type::not_eof(byte);
}

}  // namespace qdedup::review
