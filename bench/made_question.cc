#include "bench/made_question.h"

#include <algorithm>
#include <string_view>

#include "bench/measured.h"

namespace qdedup::bench {
namespace {

using Purpose = RandomStream::Purpose;

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

char16_t character_of(std::size_t rank) {
  constexpr std::size_t block_size = 0x9FA6 - 0x4E00;
  if (rank < common.size()) return common[rank];
  return static_cast<char16_t>(0x4E00 + rank * 7919 % block_size);
}

bool is_han(char32_t c) { return c >= 0x4E00 && c <= 0x9FFF; }

std::size_t whole(const measured::Sixteenths& values, RandomStream& random) {
  return static_cast<std::size_t>(measured::draw(values, random));
}

void append_utf8(std::string& utf8, char32_t c) {
  if (c < 0x80) {
    utf8 += static_cast<char>(c);
    return;
  }
  const char sequence[3] = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                            static_cast<char>(0x80 | (c & 0x3F))};
  utf8.append(sequence, sizeof sequence);
}

void add_number(std::u32string& text, RandomStream& random) {
  constexpr std::u32string_view units = U"元个米千克本天人";
  double share = random.fraction();
  text += static_cast<char32_t>(U'1' + random.below(9));
  for (const double with_digits : measured::number_digits) {
    if ((share -= with_digits) < 0) break;
    text += static_cast<char32_t>(U'0' + random.below(10));
  }
  text += units[random.below(units.size())];
}

}  // namespace

Characters::Characters() {
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(drawn_.size());
    drawn_[i] = character_of(static_cast<std::size_t>(rank_of(share)));
  }
}

void QuestionMaker::append_text(std::uint64_t question, std::string& utf8) const {
  const Neighbourhood place = layout_.around(question);
  std::u32string text;
  if (shape_ == Shape::one_character) {
    RandomStream random(seed_, Purpose::question, question);
    text = characters_.draw(random);
  } else {
    text = original(place.duplicates_begin, place.topic_begin);
    if (question != place.duplicates_begin) edit(text, question);
  }
  for (const char32_t c : text) append_utf8(utf8, c);
}

std::u32string QuestionMaker::original(std::uint64_t question, std::uint64_t topic) const {
  RandomStream random(seed_, Purpose::question, question);
  const bool choice = shape_ == Shape::same_signs ||
                      RandomStream(seed_, Purpose::topic, topic).fraction() < measured::choices;
  std::u32string text;
  text.reserve(512);
  const std::size_t clauses =
      whole(choice ? measured::clauses_of_choice : measured::clauses_of_calculation, random);
  std::size_t numbers =
      shape_ == Shape::same_signs
          ? 0
          : whole(choice ? measured::numbers_of_choice : measured::numbers_of_calculation, random);
  for (std::size_t left = clauses; left > 0; --left) {
    add_clause(text, topic, choice, random);
    for (std::size_t here = (numbers + left - 1) / left; here > 0; --here, --numbers) {
      add_number(text, random);
    }
    text += left > 1 ? U'，' : choice ? U'（' : U'？';
  }
  if (!choice) return text;
  text += U'）';
  for (char32_t letter = U'A'; letter <= U'D'; ++letter) {
    text.append({U' ', letter, U'.'});
    add_characters(text, whole(measured::option, random), random);
  }
  return text;
}

// A third of the clauses are those that the questions of a topic share.
void QuestionMaker::add_clause(std::u32string& text, std::uint64_t topic, bool choice,
                               RandomStream& random) const {
  constexpr std::uint64_t shared_clauses = 16;
  const auto& lengths = choice ? measured::clause_of_choice : measured::clause_of_calculation;
  constexpr std::size_t shortest = 4;  // a question of fewer characters would be like many others
  if (random.below(3) == 0) {
    RandomStream shared(seed_, Purpose::topic, topic * shared_clauses + random.below(shared_clauses) + 1);
    add_characters(text, std::max(shortest, whole(lengths, shared)), shared);
  } else {
    add_characters(text, std::max(shortest, whole(lengths, random)), random);
  }
}

void QuestionMaker::add_characters(std::u32string& text, std::size_t count, RandomStream& random) const {
  for (; count > 0; --count) text += characters_.draw(random);
}

void QuestionMaker::edit(std::u32string& text, std::uint64_t question) const {
  RandomStream random(seed_, Purpose::edit, question);
  if (random.fraction() < measured::equal_duplicates) return;
  const auto han = static_cast<std::uint64_t>(std::ranges::count_if(text, is_han));
  for (std::uint64_t edits = random.below(han / 10 + 1); edits > 0; --edits) {
    const std::size_t at = random.below(text.size());
    if (!is_han(text[at])) continue;
    const char32_t character = characters_.draw(random);
    if (random.below(3) == 0) {
      text.insert(at, 1, character);
    } else {
      text[at] = character;
    }
  }
}

}  // namespace qdedup::bench
