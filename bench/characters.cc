#include "bench/characters.h"

#include <algorithm>
#include <string_view>

#include "bench/measured.h"

namespace qdedup::bench {
namespace {

constexpr std::u16string_view common =
    u"的一是了在有不人这个中大上为和国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面"
    u"而方后多定"
    u"行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它"
    u"合还因由"
    u"其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只"
    u"没结解问"
    u"意建月公无系军很情者最立代想已通并提直题程展五果料象员位入常文总次品式活设及管特件长求老头基资边流路级"
    u"少图山统"
    u"接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领"
    u"七海口东";

// How many of the most frequent characters make up `share` of a text.
double rank_of(double share) {
  using measured::character_ranks;
  using measured::character_shares;
  const auto above = std::ranges::upper_bound(character_shares, share) - character_shares.begin();
  const auto i = std::min(static_cast<std::size_t>(above), character_shares.size() - 1);
  const double part = (share - character_shares[i - 1]) / (character_shares[i] - character_shares[i - 1]);
  return character_ranks[i - 1] + part * (character_ranks[i] - character_ranks[i - 1]);
}

char16_t character(std::size_t rank) {
  constexpr std::size_t block_size = 0x9FA6 - 0x4E00;
  if (rank < common.size()) return common[rank];
  return static_cast<char16_t>(0x4E00 + rank * 7919 % block_size);
}

}  // namespace

Characters::Characters() {
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(drawn_.size());
    drawn_[i] = character(static_cast<std::size_t>(rank_of(share)));
  }
}

}  // namespace qdedup::bench
