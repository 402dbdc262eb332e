#include "bench/made_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "bench/measured.h"
#include "bench/random_stream.h"

namespace qdedup::bench {
namespace {

using Purpose = RandomStream::Purpose;

constexpr std::size_t long_list = 10'000;
constexpr int alike = 300;  // thousandths: results with this score are about the same matter

std::size_t list_length(RandomStream& random) {
  double share = random.fraction();
  for (std::size_t i = 0; i < measured::short_lists.size(); ++i) {
    if ((share -= measured::short_lists[i]) < 0) return i + 1;
  }
  return measured::short_lists.size() + 1;
}

void append_score(int thousandths, std::string& log) {
  const auto digit = [&](int unit) { return static_cast<char>('0' + thousandths / unit % 10); };
  log.append({digit(1000), '.', digit(100), digit(10), digit(1)});
}

}  // namespace

void ListMaker::append_line(std::uint64_t line, std::string& log) const {
  const std::uint64_t searched = searched_question(line);
  RandomStream random(seed_, Purpose::results, line);
  const std::uint64_t search = random.fraction() < measured::fresh_lists ? random.bits() : searched;
  const Neighbourhood near = layout_.around(searched);
  log += '[';
  std::size_t rank = 0;
  for (int score : scores(line)) {
    if (rank >= near.topic_size && shape_ == Shape::usual) score = std::min(score, alike - 1);
    log += rank == 0 ? "[" : ",[";
    log += std::to_string(ids_.id_of(result(searched, near, rank, score, search)));
    log += ',';
    append_score(score, log);
    log += ']';
    ++rank;
  }
  log += "]\n";
}

std::uint64_t ListMaker::searched_question(std::uint64_t line) const {
  RandomStream random(seed_, Purpose::topic, ~line);
  const double rank = std::pow(random.fraction(), 1 / (1 - measured::popularity_exponent));
  return by_popularity_(
      std::min(static_cast<std::uint64_t>(rank * static_cast<double>(questions_)), questions_ - 1));
}

// In thousandths, best first.
std::vector<int> ListMaker::scores(std::uint64_t line) const {
  RandomStream random(seed_, Purpose::scores, line);
  const bool is_long = shape_ == Shape::long_lists;
  std::vector<int> result(is_long ? long_list : list_length(random), 900);
  if (is_long) return result;
  double score = measured::draw(measured::top_score, random);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<int>(std::lround(score * 1000));
    score *= measured::draw(i == 0 ? measured::second_by_first : measured::next_by_last, random);
  }
  return result;
}

// First the question itself, then others: alike ones from the same topic, its duplicates before all, and
// whatever else the words occur in.
std::uint64_t ListMaker::result(std::uint64_t searched, const Neighbourhood& near, std::size_t rank,
                                int score, std::uint64_t search) const {
  if (rank == 0) return searched;
  if (rank == 1 && shape_ == Shape::one_question) return 0;
  if (rank < near.duplicates_size) {
    return near.duplicates_begin + (searched - near.duplicates_begin + rank) % near.duplicates_size;
  }
  if (score < alike || shape_ == Shape::long_lists) {
    return RandomStream(seed_, Purpose::results, search * 31 + rank).bits() % questions_;
  }
  constexpr std::array<std::uint64_t, 4> steps = {1, 7, 11, 13};  // have no factor in common with topic sizes
  const std::uint64_t step = steps[search % steps.size()];
  return near.topic_begin + (searched - near.topic_begin + rank * step) % near.topic_size;
}

}  // namespace qdedup::bench
