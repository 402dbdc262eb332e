#include "db/sketch_run.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <xxhash.h>

namespace qdedup::db {
namespace {

constexpr char version = 1;
constexpr std::size_t head_bytes = 1 + 4;
constexpr std::size_t hash_bytes = 8;
constexpr std::size_t sketch_bytes = 8 + 8 + 4 + 1;

template <class Number>
void put(std::string& bytes, Number value) {
  for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) bytes += static_cast<char>(value >> shift);
}

template <class Number>
Number number_at(const char* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return static_cast<Number>(value);
}

void put_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7F) | 0x80);
  bytes += static_cast<char>(value);
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// The columns of `count` entries, one after another.
class Columns {
 public:
  Columns(std::string_view bytes, std::size_t count) : bytes_(bytes), count_(count) {}

  [[nodiscard]] QuestionSketch sketch(std::size_t i) const {
    const char* const twice = bytes_.data() + 8 * count_;
    const char* const signs = twice + 8 * count_;
    return {.once = number_at<std::uint64_t>(bytes_.data() + 8 * i),
            .twice = number_at<std::uint64_t>(twice + 8 * i),
            .signs = number_at<std::uint32_t>(signs + 4 * i),
            .han_length = static_cast<std::uint8_t>(signs[4 * count_ + i])};
  }

  [[nodiscard]] std::string_view ids() const { return bytes_.substr(count_ * sketch_bytes); }

 private:
  std::string_view bytes_;
  std::size_t count_;
};

Error damaged(std::string_view what) { return {ErrorCode::data, "sketches: " + std::string(what)}; }

// Checks all but the entries; returns what stands between the version and the hash.
Result<std::string_view> checked(std::string_view run) {
  if (run.size() < head_bytes + hash_bytes || run.front() != version) return damaged("unknown version");
  const std::string_view hashed = run.substr(0, run.size() - hash_bytes);
  if (number_at<std::uint64_t>(run.data() + hashed.size()) != XXH3_64bits(hashed.data(), hashed.size())) {
    return damaged("wrong hash");
  }
  return hashed.substr(1);
}

}  // namespace

std::string encode_sketches(std::span<const SketchEntry> entries) {
  std::string run;
  run.reserve(head_bytes + entries.size() * (sketch_bytes + 3) + hash_bytes);
  run += version;
  put(run, static_cast<std::uint32_t>(entries.size()));
  constexpr QuestionSketch none;
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).once);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).twice);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).signs);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).han_length);
  QuestionId before = 0;
  for (const SketchEntry& entry : entries) {
    const auto further = static_cast<std::uint64_t>(entry.id - before);
    put_varint(run, further << 1U | (entry.sketch ? 1U : 0U));
    before = entry.id;
  }
  put(run, XXH3_64bits(run.data(), run.size()));
  return run;
}

Status decode_sketches(std::string_view run, std::vector<SketchEntry>& entries) {
  const Result<std::string_view> content = checked(run);
  if (!content.ok()) return content.error();
  const std::size_t count = number_at<std::uint32_t>(content->data());
  const std::string_view bytes = content->substr(4);
  if (count > bytes.size() / (sketch_bytes + 1)) return damaged("cut short");

  const Columns columns(bytes, count);
  std::string_view ids = columns.ids();
  entries.resize(count);
  QuestionId id = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::uint64_t> code = take_varint(ids);
    if (!code || *code < 2 || __builtin_add_overflow(id, static_cast<QuestionId>(*code >> 1U), &id)) {
      return damaged("bad id");
    }
    entries[i].id = id;
    entries[i].sketch = (*code & 1U) != 0 ? std::optional(columns.sketch(i)) : std::nullopt;
  }
  return ids.empty() ? Status() : Status(damaged("bytes left over"));
}

}  // namespace qdedup::db
