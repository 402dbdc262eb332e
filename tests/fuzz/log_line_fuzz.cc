// The first byte chooses the shape, the rest is the line. LineParser and its slow twin must agree.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/support/line_agreement.h"

namespace {

qdedup::miner::LineShape shape_of(std::size_t choice) {
  using qdedup::miner::LineFormat;
  constexpr std::array<const char*, 6> pointers = {"", "/results", "/a", "/a/0", "/a/1/b", "/"};
  constexpr std::array<std::array<const char*, 2>, 3> parts = {{{"", ""}, {"/_id", "/_score"}, {"/0", "/1"}}};
  const std::size_t place = choice % (pointers.size() + 1);
  const std::size_t others = choice / (pointers.size() + 1);  // up to 36
  qdedup::miner::LineShape shape;
  if (others >= 24) {
    shape.format = LineFormat::embedded;
  } else if (place < pointers.size()) {
    shape.format = LineFormat::object;
    shape.pointer = pointers.at(place);
  }
  shape.quoted_numbers = others % 2 == 1;
  shape.by_score = others / 2 % 2 == 1;
  shape.id = parts.at(others / 4 % parts.size())[0];
  shape.score = parts.at(others / 4 % parts.size())[1];
  return shape;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using qdedup::miner::LineFormat;
  constexpr std::size_t longest_embedded = 300;  // the twin is slow
  if (size == 0) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data + 1), size - 1);
  const qdedup::miner::LineShape shape = shape_of(data[0]);
  if (shape.format == LineFormat::embedded && line.size() > longest_embedded) return 0;
  const std::string disagreement = qdedup::support::disagreement_on_line(shape, line);
  if (disagreement.empty()) return 0;
  std::fprintf(stderr, "%s\n", disagreement.c_str());
  std::abort();
}
