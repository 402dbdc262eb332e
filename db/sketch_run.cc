#include "db/sketch_run.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <xxhash.h>

#include "base/varint.h"

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
  static_assert(std::endian::native == std::endian::little);
  Number value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

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

Status SketchRun::read(std::string_view bytes) {
  const Result<std::string_view> content = checked(bytes);
  if (!content.ok()) return content.error();
  const std::size_t count = number_at<std::uint32_t>(content->data());
  const std::string_view entries = content->substr(4);
  if (count > entries.size() / (sketch_bytes + 1)) return damaged("cut short");

  columns_ = entries.data();
  ids_.resize(count);
  has_sketch_.resize(count);
  std::string_view codes = entries.substr(count * sketch_bytes);
  QuestionId id = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::uint64_t> code = take_varint(codes);
    if (!code || *code < 2 || __builtin_add_overflow(id, static_cast<QuestionId>(*code >> 1U), &id)) {
      return damaged("bad id");
    }
    ids_[i] = id;
    has_sketch_[i] = (*code & 1U) != 0;
  }
  return codes.empty() ? Status() : Status(damaged("bytes left over"));
}

std::optional<QuestionSketch> SketchRun::sketch(std::size_t entry) const {
  if (!has_sketch_[entry]) return std::nullopt;
  const char* const twice = columns_ + 8 * ids_.size();
  const char* const signs = twice + 8 * ids_.size();
  const char* const han_lengths = signs + 4 * ids_.size();
  return QuestionSketch{.once = number_at<std::uint64_t>(columns_ + 8 * entry),
                        .twice = number_at<std::uint64_t>(twice + 8 * entry),
                        .signs = number_at<std::uint32_t>(signs + 4 * entry),
                        .han_length = static_cast<std::uint8_t>(han_lengths[entry])};
}

Status decode_sketches(std::string_view bytes, std::vector<SketchEntry>& entries) {
  SketchRun run;
  QDEDUP_TRY(run.read(bytes));
  entries.resize(run.ids().size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {run.ids()[i], run.sketch(i)};
  return {};
}

}  // namespace qdedup::db
