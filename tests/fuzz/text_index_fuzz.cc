// Bytes that are said to be a saved index: refused, or an index that saves as the same bytes and can be
// asked. The check sum is put right, so that what stands behind it is reached.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "finder/grams.h"
#include "finder/minhash_scheme.h"
#include "finder/substring_scheme.h"
#include "finder/text_index.h"

namespace {

std::string with_check_sum(std::string bytes) {
  std::uint64_t sum = bytes.size();
  for (const char byte : bytes)
    sum = qdedup::finder::mixed_bits(sum + static_cast<unsigned char>(byte) + 0x9E3779B97F4A7C15U);
  for (std::size_t i = 0; i < sizeof sum; ++i) bytes += static_cast<char>(sum >> (8 * i) & 0xFFU);
  return bytes;
}

template <class Scheme>
void load_with(const Scheme& make, const std::string& content) {
  const std::string header = "qdedup index 1\n" + make()->name() + '\n';
  const std::string bytes = with_check_sum(header + content);
  auto loaded = qdedup::finder::TextIndex::load(bytes, make());
  if (!loaded.ok()) return;
  if (loaded->save() != bytes) std::abort();
  (void)loaded->query(U"一二三四五六");
  (void)loaded->expire(5);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  (void)qdedup::finder::TextIndex::load(
      content, std::make_unique<qdedup::finder::SubstringScheme>(qdedup::finder::SubstringSettings()));
  load_with(
      [] { return std::make_unique<qdedup::finder::SubstringScheme>(qdedup::finder::SubstringSettings()); },
      content);
  load_with(
      [] {
        return std::make_unique<qdedup::finder::MinhashScheme>(
            qdedup::finder::MinhashSettings{.bands = 2, .rows = 1});
      },
      content);
  return 0;
}
