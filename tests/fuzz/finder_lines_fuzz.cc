// Lines of the files that finders take: hashes, stop words, weights.
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <sstream>
#include <string>
#include <string_view>

#include "finder/hamming_index.h"
#include "refine/features.h"
#include "refine/normalise.h"

namespace {

using qdedup::refine::Features;
using qdedup::refine::FeatureSettings;

void check(bool holds) {
  if (!holds) std::abort();
}

void hash(std::string_view line) {
  const auto parsed = qdedup::finder::parse_hash(line);
  if (!parsed) return;
  std::ostringstream digits;
  digits << std::hex << std::setfill('0') << std::setw(16) << *parsed;
  check(qdedup::finder::parse_hash(digits.str()) == parsed);
}

void weight(std::string_view line) {
  FeatureSettings settings;
  if (!qdedup::refine::add_weight(line, settings)) return check(settings.weights.empty());
  check(settings.weights.size() == 1);
  const auto [feature, weight] = *settings.weights.begin();
  check(weight >= 1 && weight <= 5);
  check(line.ends_with(std::to_string(weight)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  hash(line);
  weight(line);
  if (line.empty()) return 0;
  FeatureSettings stopped;
  qdedup::refine::add_stop_word(line, stopped);
  check(Features(stopped).weight(Features::named(qdedup::refine::normalise(line))) == 0);
  return 0;
}
