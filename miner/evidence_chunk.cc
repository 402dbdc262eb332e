#include "miner/evidence_chunk.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <xxhash.h>

#include "base/question_id.h"
#include "base/varint.h"

namespace qdedup::miner {
namespace {

constexpr char version = 1;
constexpr std::size_t fixed_bytes = 8;             // of a top score, and of the hash
constexpr std::size_t min_list_bytes = 8 + 1 + 2;  // top score, number of ids, two ids

std::uint64_t hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void put_fixed(std::string& bytes, std::uint64_t value) {
  for (unsigned shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift & 0xFF);
}

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>((code >> 1U) ^ (0 - (code & 1)));
}

void put_list(std::string& bytes, double top_score, std::span<const QuestionId> ids) {
  put_fixed(bytes, std::bit_cast<std::uint64_t>(top_score));
  put_varint(bytes, ids.size());
  put_varint(bytes, static_cast<std::uint64_t>(ids.front()));
  for (std::size_t i = 1; i < ids.size(); ++i) put_varint(bytes, zigzag(ids[i] - ids[i - 1]));
}

std::optional<std::uint64_t> take_fixed(std::string_view& bytes) {
  if (bytes.size() < fixed_bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = fixed_bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(fixed_bytes);
  return value;
}

std::optional<QuestionId> take_first_id(std::string_view& bytes) {
  const std::optional<std::uint64_t> id = take_varint(bytes);
  if (!id || *id < min_question_id || *id > max_question_id) return std::nullopt;
  return static_cast<QuestionId>(*id);
}

std::optional<QuestionId> take_next_id(std::string_view& bytes, QuestionId before) {
  const std::optional<std::uint64_t> code = take_varint(bytes);
  if (!code) return std::nullopt;
  QuestionId id = 0;
  if (__builtin_add_overflow(before, unzigzag(*code), &id) || id < min_question_id) return std::nullopt;
  return id;
}

// Takes one list, replacing `ids`.
bool take_list(std::string_view& bytes, double& top_score, std::vector<QuestionId>& ids) {
  const std::optional<std::uint64_t> score_bits = take_fixed(bytes);
  const std::optional<std::uint64_t> size = take_varint(bytes);
  if (!score_bits || !size || *size < 2 || *size > bytes.size()) return false;
  top_score = std::bit_cast<double>(*score_bits);
  if (!std::isfinite(top_score)) return false;

  std::optional<QuestionId> id = take_first_id(bytes);
  ids.clear();
  while (id) {
    ids.push_back(*id);
    if (ids.size() == *size) return true;
    id = take_next_id(bytes, *id);
  }
  return false;
}

Error damaged(std::string_view what) { return {ErrorCode::data, "evidence chunk: " + std::string(what)}; }

struct EncodedLists {
  std::uint64_t size = 0;
  std::string_view bytes;
};

Result<EncodedLists> encoded_lists(std::string_view chunk) {
  if (chunk.empty()) return damaged("empty");
  if (chunk.front() != version) return damaged("unknown version");
  if (chunk.size() < 1 + fixed_bytes) return damaged("cut short");
  std::string_view stored_hash = chunk.substr(chunk.size() - fixed_bytes);
  chunk.remove_suffix(fixed_bytes);
  if (take_fixed(stored_hash) != hash(chunk)) return damaged("wrong hash");
  chunk.remove_prefix(1);
  const std::optional<std::uint64_t> size = take_varint(chunk);
  if (!size || *size > chunk.size() / min_list_bytes) return damaged("bad number of lists");
  return EncodedLists{*size, chunk};
}

std::string begun_chunk(std::uint64_t lists) {
  std::string chunk(1, version);
  put_varint(chunk, lists);
  return chunk;
}

}  // namespace

std::string encode_evidence(const SeedLists& lists) {
  std::string chunk = begun_chunk(lists.size());
  for (std::size_t list = 0; list < lists.size(); ++list) {
    put_list(chunk, lists.top_score(list), lists.ids(list));
  }
  put_fixed(chunk, hash(chunk));
  return chunk;
}

Status decode_evidence(std::string_view chunk, SeedLists& lists) {
  QDEDUP_ASSIGN_OR_RETURN(EncodedLists encoded, encoded_lists(chunk));
  SeedLists decoded;
  std::vector<QuestionId> ids;
  for (std::uint64_t list = 0; list < encoded.size; ++list) {
    double top_score = 0;
    if (!take_list(encoded.bytes, top_score, ids)) return damaged("bad list " + std::to_string(list + 1));
    decoded.append(top_score, ids);
  }
  if (!encoded.bytes.empty()) return damaged("bytes left over");
  lists.append(decoded);
  return {};
}

Result<std::string> join_evidence(std::string_view first, std::string_view second) {
  QDEDUP_ASSIGN_OR_RETURN(const EncodedLists before, encoded_lists(first));
  QDEDUP_ASSIGN_OR_RETURN(const EncodedLists after, encoded_lists(second));
  std::string chunk = begun_chunk(before.size + after.size);
  chunk.reserve(chunk.size() + before.bytes.size() + after.bytes.size() + fixed_bytes);
  chunk += before.bytes;
  chunk += after.bytes;
  put_fixed(chunk, hash(chunk));
  return chunk;
}

}  // namespace qdedup::miner
