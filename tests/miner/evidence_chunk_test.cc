#include "miner/evidence_chunk.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "miner/seed_lists.h"
#include "tests/support/seed_list_samples.h"

namespace qdedup::miner {
namespace {

using support::as_seed_lists;
using namespace std::string_literals;

constexpr std::string_view one_half = {"\0\0\0\0\0\0\xE0\x3F", 8};  // 0.5 as IEEE 754, little-endian

std::string with_hash(std::string bytes) {
  const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(hash >> shift);
  return bytes;
}

// A chunk of one list with top score 0.5; `ids` are bytes from the number of ids on.
std::string chunk_of(const std::string& ids) { return with_hash("\x01\x01" + std::string(one_half) + ids); }

// The same with a good list before it.
std::string two_lists(const std::string& ids_of_second) {
  return with_hash("\x01\x02" + std::string(one_half) + "\x03\x01\x02\x02" + std::string(one_half) +
                   ids_of_second);
}

bool decodes(std::string_view chunk) {
  SeedLists lists;
  return decode_evidence(chunk, lists).ok();
}

void expect_round_trip(const SeedLists& lists) {
  const std::string chunk = encode_evidence(lists);
  SeedLists decoded;
  ASSERT_TRUE(decode_evidence(chunk, decoded).ok());
  ASSERT_EQ(decoded.size(), lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ASSERT_EQ(decoded.top_score(i), lists.top_score(i));
    ASSERT_TRUE(std::ranges::equal(decoded.ids(i), lists.ids(i)));
  }
  ASSERT_EQ(encode_evidence(decoded), chunk);
}

TEST(EvidenceChunk, HasTheDocumentedBytes) {
  // 300, 299 (-1), 301 (+2)
  EXPECT_EQ(encode_evidence(as_seed_lists({{0.5, {300, 299, 301}}})), chunk_of("\x03\xAC\x02\x01\x04"));
  EXPECT_EQ(encode_evidence({}), with_hash("\x01\x00"s));
}

TEST(EvidenceChunk, GivesBackWhatWasPutIn) {
  std::mt19937_64 random(1);
  expect_round_trip({});
  for (int i = 0; i < 100; ++i)
    expect_round_trip(as_seed_lists(support::random_seed_lists(random, 200, 100000)));
}

TEST(EvidenceChunk, GivesBackExtremes) {
  expect_round_trip(as_seed_lists({{0.9, {1, max_question_id}},
                                   {0.9, {max_question_id, 1}},
                                   {0.9, {max_question_id, max_question_id - 1}},
                                   {std::numeric_limits<double>::max(), {1, 2}},
                                   {std::numeric_limits<double>::denorm_min(), {1, 2}},
                                   {-1.5, {63, 127}},
                                   {-0.0, {64, 128}}}));
}

TEST(EvidenceChunk, GivesBackALongList) {
  SeedLists lists;
  std::vector<QuestionId> ids;
  for (QuestionId id = 100000; id > 0; --id) ids.push_back(id);
  lists.append(0.9, ids);
  expect_round_trip(lists);
}

TEST(EvidenceChunk, DecodingAppends) {
  SeedLists lists = as_seed_lists({{0.9, {1, 2}}});
  ASSERT_TRUE(decode_evidence(encode_evidence(as_seed_lists({{0.8, {3, 4, 5}}})), lists).ok());
  ASSERT_EQ(lists.size(), 2U);
  EXPECT_EQ(lists.ids(1).size(), 3U);
}

// Against decoding both and encoding them together.
TEST(EvidenceChunk, JoinedIsAsIfEncodedTogether) {
  std::mt19937_64 random(2);
  for (const std::size_t size : {0U, 1U, 63U, 64U, 127U, 128U, 200U}) {
    for (int i = 0; i < 20; ++i) {
      SeedLists lists = as_seed_lists(support::random_seed_lists(random, size, 1000));
      const SeedLists others = as_seed_lists(support::random_seed_lists(random, random() % 130, 1000));
      const Result<std::string> joined = join_evidence(encode_evidence(lists), encode_evidence(others));
      ASSERT_TRUE(joined.ok());
      lists.append(others);
      ASSERT_EQ(*joined, encode_evidence(lists));
    }
  }
}

TEST(EvidenceChunk, EveryCutAndEveryFlippedBitIsRefused) {
  const std::string chunk = encode_evidence(as_seed_lists({{0.9, {300, 299, 301}}, {0.8, {7, 5}}}));
  for (std::size_t size = 0; size < chunk.size(); ++size) EXPECT_FALSE(decodes(chunk.substr(0, size)));
  for (std::size_t bit = 0; bit < chunk.size() * 8; ++bit) {
    std::string damaged = chunk;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decodes(damaged));
    EXPECT_FALSE(join_evidence(damaged, chunk).ok());
    EXPECT_FALSE(join_evidence(chunk, damaged).ok());
  }
  EXPECT_FALSE(decodes(chunk + '\0'));
}

TEST(EvidenceChunk, AFailureLeavesTheListsAsTheyWere) {
  SeedLists lists = as_seed_lists({{0.9, {1, 2}}});
  const Status status =
      decode_evidence(with_hash("\x01\x02"s + std::string(one_half) + "\x02\x01\x02"), lists);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::data);
  EXPECT_EQ(lists.size(), 1U);
}

TEST(EvidenceChunk, RefusesWhatItWouldNotWrite) {
  const struct {
    std::string what, chunk;
  } rows[] = {
      {"another version", with_hash("\x02\x00"s)},
      {"no number of lists", with_hash("\x01")},
      {"more lists than fit", with_hash("\x01\xFF\xFF\xFF\xFF\x0F")},
      {"no ids", two_lists("\x00\x05\x02"s)},
      {"one id", two_lists("\x01\x05")},
      {"more ids than fit", chunk_of("\xFF\xFF\xFF\xFF\x0F\x01\x02")},
      {"ids cut short", chunk_of("\x03\x05\x02")},
      {"id 0", chunk_of("\x02\x00\x02"s)},
      {"id 0 by difference", chunk_of("\x02\x01\x01")},
      {"id 2^63", chunk_of("\x02\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01")},
      {"id 2^63 by difference", chunk_of("\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\x02")},
      {"varint of 65 bits", chunk_of("\x02\x05\x82\x80\x80\x80\x80\x80\x80\x80\x80\x02")},
      {"varint of 11 bytes", chunk_of("\x02\x05\x82\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"s)},
      {"varint longer than needed", chunk_of("\x02\x85\x00\x02"s)},
      {"bytes left over", chunk_of("\x02\x05\x02\x00"s)},
      {"infinite score", with_hash("\x01\x01\0\0\0\0\0\0\xF0\x7F\x02\x05\x02"s)},
      {"score that is no number", with_hash("\x01\x01\0\0\0\0\0\0\xF8\x7F\x02\x05\x02"s)},
  };
  for (const auto& row : rows) EXPECT_FALSE(decodes(row.chunk)) << row.what;
  EXPECT_TRUE(decodes(chunk_of("\x02\x05\x02")));
  EXPECT_TRUE(decodes(two_lists("\x02\x05\x02")));
}

}  // namespace
}  // namespace qdedup::miner
