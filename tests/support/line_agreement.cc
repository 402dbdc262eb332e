#include "tests/support/line_agreement.h"

#include <optional>
#include <vector>

#include "base/utf8.h"
#include "tests/reference/line_reading.h"

namespace qdedup::support {
namespace {

using miner::Rejection;

std::string_view outcome(std::optional<Rejection> rejection) {
  return rejection ? miner::name(*rejection) : "a list";
}

// Can this be said of the line at all?
bool is_plausible(std::optional<Rejection> rejection, std::string_view line) {
  const bool has_nul = line.find('\0') != std::string_view::npos;
  if (!rejection) return !has_nul && is_utf8(line);
  if (rejection == Rejection::nul_byte) return has_nul;
  return rejection != Rejection::bad_utf8 || !is_utf8(line);
}

}  // namespace

std::string disagreement_on_line(const miner::LineShape& shape, std::string_view line) {
  const std::vector<char> bytes(line.begin(), line.end());  // nothing behind the end, for AddressSanitizer
  std::vector<miner::ScoredId> pairs;
  const auto rejection = miner::LineParser::create(shape)->parse({bytes.data(), bytes.size()}, pairs);
  const reference::LineReading expected = reference::read_line(shape, line);

  const std::string of_line = " of line: " + std::string(line);
  if (reference::coarse(rejection) != expected.rejection) {
    return std::string(outcome(rejection)) + " instead of " + std::string(outcome(expected.rejection)) +
           of_line;
  }
  const bool is_embedded = shape.format == miner::LineFormat::embedded;  // in anything
  if (!is_embedded && !is_plausible(rejection, line))
    return "impossible " + std::string(outcome(rejection)) + of_line;
  if (!rejection && pairs != expected.pairs) return "other pairs" + of_line;
  return {};
}

}  // namespace qdedup::support
