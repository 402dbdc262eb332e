#pragma once

#include <array>
#include <cstddef>

#include "bench/random_stream.h"

// Distributions measured on a bank of 51,605 Chinese exam questions and on a log of 60,000 result lists of a
// full-text search engine that was asked noisy readings of those questions.
namespace qdedup::bench::measured {

// Where the sixteenths of a distribution lie: the least value, fifteen between, the greatest.
using Sixteenths = std::array<double, 17>;

// A value of the distribution: straight lines between the sixteenths.
inline double draw(const Sixteenths& values, RandomStream& random) {
  const double place = random.fraction() * 16;
  const auto below = static_cast<std::size_t>(place);
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

// --- Questions ---------------------------------------------------------------------------------------------

// Of all questions 59.6 % offer a choice of answers; the others are mostly calculations.
inline constexpr double choices = 0.596;

// Clauses of a question without its options. The longest (84 and 256) are cut: they are whole essays.
inline constexpr Sixteenths clauses_of_choice = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 5, 7, 30};
inline constexpr Sixteenths clauses_of_calculation = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 6, 7, 9, 30};

// Characters of a clause and of an option.
inline constexpr Sixteenths clause_of_choice = {1, 3, 3, 4, 4, 5, 6, 6, 7, 8, 10, 11, 13, 14, 17, 21, 60};
inline constexpr Sixteenths clause_of_calculation = {1,  4,  5,  6,  7,  8,  9,  9, 10,
                                                     11, 12, 13, 14, 16, 18, 23, 60};
inline constexpr Sixteenths option = {1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 8, 9, 11, 14, 17, 25, 60};

// Numbers in a question, and how many of them have one, two, three and four digits.
inline constexpr Sixteenths numbers_of_choice = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 12};
inline constexpr Sixteenths numbers_of_calculation = {0, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 8, 20};
inline constexpr std::array<double, 4> number_digits = {0.563, 0.269, 0.099, 0.069};

// How often characters occur: those of the `ranks` most frequent make up `shares` of all Han characters.
inline constexpr std::array<double, 12> character_ranks = {0,   1,   5,   10,   20,   50,
                                                           100, 200, 500, 1000, 2000, 5508};
inline constexpr std::array<double, 12> character_shares = {0,      0.0407, 0.0839, 0.1198, 0.1752, 0.2900,
                                                            0.4149, 0.5648, 0.7800, 0.9128, 0.9818, 1};

// --- Look-alikes -------------------------------------------------------------------------------------------

// Duplicates: classes of 2, 3, 4, 5 and 6 questions, in 51,605. Some 1,600 lie in the same cluster.
inline constexpr std::array<std::size_t, 5> classes_by_size = {1456, 110, 26, 3, 2};
inline constexpr std::size_t bank_size = 51'605;

// Distances within the classes: 52 % are 0, the others as good as evenly spread up to the limit.
inline constexpr double equal_duplicates = 0.52;

// Clusters of look-alikes that the log gives: the share of the clustered questions by cluster size. The
// largest were cut at 200.
struct TopicShare {
  std::size_t size;
  double share;
};
inline constexpr std::array<TopicShare, 8> topics = {
    {{2, 0.32}, {3, 0.11}, {4, 0.06}, {6, 0.08}, {8, 0.06}, {16, 0.08}, {32, 0.08}, {256, 0.21}}};

// --- The log -----------------------------------------------------------------------------------------------

// 77 % of the lists hold ten results; the shares of those with one to nine.
inline constexpr std::array<double, 9> short_lists = {0.063, 0.028, 0.021, 0.020, 0.021,
                                                      0.020, 0.020, 0.018, 0.017};

// The score of the first result; that of the second by the first; each further one by the one before.
inline constexpr Sixteenths top_score = {0.006, 0.406, 0.681, 0.758, 0.809, 0.855, 0.892, 0.918, 0.938,
                                         0.956, 0.978, 1,     1,     1,     1,     1,     1};
inline constexpr Sixteenths second_by_first = {0.001, 0.062, 0.097, 0.127, 0.154, 0.181, 0.208, 0.238, 0.271,
                                               0.306, 0.345, 0.391, 0.450, 0.538, 0.676, 0.886, 1};
inline constexpr Sixteenths next_by_last = {0.001, 0.576, 0.731, 0.805, 0.850, 0.881, 0.905, 0.923, 0.938,
                                            0.950, 0.961, 0.970, 0.978, 0.984, 0.992, 1,     1};

// Popularity: over all results, the question of rank r comes up about r^-0.25 times as often as the first (91
// times the first, 40 the 100th, 26 the 1,000th, 14 the 10,000th). As most results below the first are
// whatever else the words occur in, the searched questions themselves follow r^-0.5.
inline constexpr double popularity_exponent = 0.5;

// Of 20,276 selected lists 13,775 are distinct, where popular questions are searched again with other
// results; this share of fresh ones comes to the same.
inline constexpr double fresh_lists = 0.5;

}  // namespace qdedup::bench::measured
