#include "review/reliability.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>

#include <nlohmann/json.hpp>

#include "review/deletion_list.h"

namespace qdedup::review {
namespace {

std::string rounded_percent(double share) {
  return percent_digits(static_cast<std::uint64_t>(std::llround(share * 10'000)));
}

std::string bin_text(std::size_t number, const Reliability::Bin& bin) {
  const ShareEstimate share = bin.share_not_same();
  const auto edge = [](std::size_t i) { return text_of(refine::Risk(Reliability::edges.at(i))); };
  std::ostringstream text;
  text << "  " << edge(number) << '-' << edge(number + 1) << std::setw(9) << bin.pairs << std::setw(11)
       << rounded_percent(bin.mean_risk()) << std::setw(10) << rounded_percent(share.share) << std::setw(17)
       << rounded_percent(share.low) + " - " + rounded_percent(share.high)
       << (bin.is_reliable() ? "  yes\n" : "  no\n");
  return text.str();
}

}  // namespace

ShareEstimate estimate_share(std::uint64_t successes, std::uint64_t trials) {
  if (trials == 0) return {};
  constexpr double z = 1.959963984540054;  // 97.5 % of the normal distribution
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double scale = 1 + z * z / n;
  const double centre = (share + z * z / (2 * n)) / scale;
  const double reach = z / scale * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {share, std::max(0.0, centre - reach), std::min(1.0, centre + reach)};
}

double Reliability::Bin::mean_risk() const {
  if (pairs == 0) return 0;
  return static_cast<double>(sum_of_risks) / static_cast<double>(pairs) / refine::Risk::certain;
}

bool Reliability::Bin::is_reliable() const {
  const ShareEstimate share = share_not_same();
  return share.low <= mean_risk() && mean_risk() <= share.high;
}

void Reliability::add(PairLabel label, refine::Risk risk) {
  const bool is_not_same = label == PairLabel::different || label == PairLabel::reordered;
  if (!is_not_same && label != PairLabel::same) return;
  const auto* const beyond = std::upper_bound(edges.begin() + 1, edges.end() - 1, risk.ten_thousandths());
  Bin& bin = bins_.at(static_cast<std::size_t>(beyond - edges.begin()) - 1);
  ++bin.pairs;
  bin.not_same += is_not_same ? 1 : 0;
  bin.sum_of_risks += static_cast<std::uint64_t>(risk.ten_thousandths());
}

std::string reliability_text(const std::string& heading, const Reliability& reliability) {
  std::string text;
  for (std::size_t i = 0; i < reliability.bins().size(); ++i) {
    if (const Reliability::Bin& bin = reliability.bins().at(i); bin.pairs > 0) text += bin_text(i, bin);
  }
  if (text.empty()) return text;
  return heading + "\n  risk                pairs  mean in %  not same  95 % interval  within\n" + text;
}

Json reliability_json(const Reliability& reliability) {
  Json json = Json::array();
  for (std::size_t i = 0; i < reliability.bins().size(); ++i) {
    const Reliability::Bin& bin = reliability.bins().at(i);
    const ShareEstimate share = bin.share_not_same();
    const auto known = [&](const auto& value) { return bin.pairs > 0 ? Json(value) : Json(); };
    json.push_back({{"from", refine::Risk(Reliability::edges.at(i)).share()},
                    {"to", refine::Risk(Reliability::edges.at(i + 1)).share()},
                    {"pairs", bin.pairs},
                    {"mean_risk", known(bin.mean_risk())},
                    {"not_same", known(share.share)},
                    {"low", known(share.low)},
                    {"high", known(share.high)},
                    {"within", known(bin.is_reliable())}});
  }
  return json;
}

}  // namespace qdedup::review
