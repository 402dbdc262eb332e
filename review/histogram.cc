#include "review/histogram.h"

#include <algorithm>

namespace qdedup::review {

namespace {

bool is_filled(const HistogramBar& bar) { return bar.count > 0; }

void drop_empty_front(std::vector<HistogramBar>& bars) {
  bars.erase(bars.begin(), std::ranges::find_if(bars, is_filled));
}

void drop_empty_back(std::vector<HistogramBar>& bars) {
  bars.erase(std::find_if(bars.rbegin(), bars.rend(), is_filled).base(), bars.end());
}

}  // namespace

std::vector<HistogramBar> similarity_bars(const std::array<std::uint64_t, 101>& counts) {
  std::vector<HistogramBar> bars;
  for (std::size_t percent = 0; percent < counts.size(); ++percent) {
    bars.push_back({std::to_string(percent), counts.at(percent)});
  }
  drop_empty_front(bars);
  return bars;
}

std::vector<HistogramBar> cluster_size_bars(const std::map<std::uint64_t, std::uint64_t>& sizes) {
  constexpr std::array<std::uint64_t, 10> last_sizes{1, 2, 3, 4, 9, 19, 49, 99, 199, UINT64_MAX};
  std::vector<HistogramBar> bars{{"1", 0},       {"2", 0},           {"3", 0},     {"4", 0},
                                 {"5–9", 0},     {"10–19", 0},       {"20–49", 0}, {"50–99", 0},
                                 {"100–199", 0}, {"200 and more", 0}};
  for (const auto& [size, clusters] : sizes) {
    const auto bin = std::ranges::lower_bound(last_sizes, size) - last_sizes.begin();
    bars[static_cast<std::size_t>(bin)].count += clusters;
  }
  drop_empty_front(bars);
  drop_empty_back(bars);
  return bars;
}

}  // namespace qdedup::review
