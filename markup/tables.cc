#include "markup/tables.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <unordered_map>

#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// The lines of a data file that are neither empty nor comments.
std::vector<std::string_view> lines_of(std::string_view file) {
  std::vector<std::string_view> lines;
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    if (!line.empty() && line[0] != '#') lines.push_back(line);
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  return lines;
}

// The words of a line, separated by spaces.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) words.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// The one of `kinds` whose first member is `word`. A word that is none is a mistake in a data file, which is
// part of the program.
template <class Kinds>
const auto& kind_named(const Kinds& kinds, std::string_view word) {
  const auto found = std::ranges::find(kinds, word, [](const auto& kind) { return kind.first; });
  if (found == kinds.end()) std::abort();
  return *found;
}

using CommandTable = std::unordered_map<std::string_view, Command>;

// Of names that are short: their first eight bytes and their length.
struct ShortNameHash {
  std::size_t operator()(std::string_view name) const {
    std::uint64_t bytes = name.size();
    for (const char c : name.substr(0, 8)) bytes = bytes << 8U ^ static_cast<unsigned char>(c);
    return bytes * 0x9E3779B97F4A7C15U >> 32U;
  }
};
using ElementTable = std::unordered_map<std::string_view, ElementRule, ShortNameHash>;

// What the reader of formulas knows by itself.
constexpr std::array<std::string_view, 23> structures = {
    "frac",        "dfrac",   "tfrac", "cfrac", "binom", "dbinom", "tbinom",          "sqrt",
    "left",        "right",   "begin", "end",   "sp",    "sb",     "textsuperscript", "textsubscript",
    "textcircled", "circled", "not",   "over",  "atop",  "choose", "genfrac",
};

struct KindOfCommand {
  std::string_view first;  // how a line of the file begins
  CommandKind kind;
  unsigned arguments = 0;
};
constexpr std::array<KindOfCommand, 16> command_kinds = {{
    {"sign", CommandKind::sign},
    {"name", CommandKind::name},
    {"space", CommandKind::space},
    {"nothing", CommandKind::nothing},
    {"group", CommandKind::group},
    {"drop1", CommandKind::drop, 1},
    {"drop2", CommandKind::drop, 2},
    {"gap", CommandKind::gap},
    {"labelled", CommandKind::labelled},
    {"above", CommandKind::above},
    {"below", CommandKind::below},
    {"boxed", CommandKind::boxed},
    {"struck", CommandKind::struck},
    {"underlined", CommandKind::underlined},
    {"dotted", CommandKind::dotted},
    {"accent", CommandKind::accent},
}};

constexpr std::array<std::pair<std::string_view, ElementKind>, 39> element_kinds = {{
    {"inline", ElementKind::inline_text},
    {"underlined", ElementKind::underlined},
    {"struck", ElementKind::struck},
    {"enclosed", ElementKind::enclosed},
    {"block", ElementKind::block},
    {"break", ElementKind::line_break},
    {"void", ElementKind::empty},
    {"field", ElementKind::field},
    {"space", ElementKind::space},
    {"phantom", ElementKind::phantom},
    {"skip", ElementKind::skipped},
    {"raw", ElementKind::raw},
    {"paragraph", ElementKind::paragraph},
    {"item", ElementKind::item},
    {"raised", ElementKind::raised},
    {"lowered", ElementKind::lowered},
    {"table", ElementKind::table},
    {"row", ElementKind::row},
    {"cell", ElementKind::cell},
    {"image", ElementKind::image},
    {"figure", ElementKind::figure},
    {"fraction", ElementKind::fraction},
    {"script_up", ElementKind::script_up},
    {"script_down", ElementKind::script_down},
    {"script_both", ElementKind::script_both},
    {"over", ElementKind::over},
    {"under", ElementKind::under},
    {"root", ElementKind::root},
    {"nth_root", ElementKind::nth_root},
    {"fenced", ElementKind::fenced},
    {"multiscripts", ElementKind::multiscripts},
    {"math", ElementKind::math},
    {"glyph", ElementKind::glyph},
    {"properties", ElementKind::properties},
    {"prescripts", ElementKind::prescripts},
    {"radical", ElementKind::radical},
    {"delimited", ElementKind::delimited},
    {"accented", ElementKind::accented},
    {"lines", ElementKind::lines},
}};

bool writes_text(CommandKind kind) {
  return kind == CommandKind::sign || kind == CommandKind::labelled || kind == CommandKind::accent;
}

CommandTable read_commands() {
  CommandTable table;
  for (const std::string_view line : lines_of(data_files().commands)) {
    const std::vector<std::string_view> words = words_of(line);
    const KindOfCommand& kind = kind_named(command_kinds, words[0]);
    const std::size_t first = writes_text(kind.kind) ? 2 : 1;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::string_view text = first == 2 ? words[1] : words[i];
      table.emplace(words[i], Command{kind.kind, text, kind.arguments});
    }
  }
  for (const std::string_view name : structures) table[name] = {CommandKind::structure, name, 0};
  return table;
}

ElementTable read_elements() {
  ElementTable table;
  for (const std::string_view line : lines_of(data_files().elements)) {
    const std::vector<std::string_view> words = words_of(line);
    const ElementKind kind = kind_named(element_kinds, words[0]).second;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto number = static_cast<std::uint16_t>(table.size() + 1);
      table.emplace(words[i], ElementRule{kind, number});
    }
  }
  if (table.size() >= element_names) std::abort();
  return table;
}

std::vector<Entity> read_entities() {
  std::vector<Entity> entities;
  for (const std::string_view line : lines_of(data_files().entities)) {
    const std::vector<std::string_view> words = words_of(line);
    std::u32string text;
    for (std::size_t i = 1; i < words.size(); ++i) {
      text += static_cast<char32_t>(std::stoul(std::string(words[i]), nullptr, 16));
    }
    entities.push_back({words[0], refine::to_utf8(text)});
  }
  std::ranges::sort(entities, {}, &Entity::name);
  return entities;
}

std::size_t sequence_length(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

using CharacterTable = std::unordered_map<std::string_view, std::string_view>;

CharacterTable read_characters() {
  CharacterTable table;
  for (const std::string_view line : lines_of(data_files().characters)) {
    const std::vector<std::string_view> words = words_of(line);
    for (std::size_t i = 1; i < words.size(); ++i) table.emplace(words[i], words[0]);
  }
  // What the font shows may itself be written for another character.
  static std::deque<std::string> codes;
  for (const std::string_view line : lines_of(data_files().symbol_font)) {
    const std::vector<std::string_view> words = words_of(line);
    const auto code = static_cast<char32_t>(std::stoul(std::string(words[0]), nullptr, 16));
    const auto kept = table.find(words[1]);
    codes.push_back(refine::to_utf8(std::u32string(1, symbol_font_begin + code)));
    table.emplace(codes.back(), kept == table.end() ? words[1] : kept->second);
  }
  return table;
}

FigureWords read_figure_words() {
  using List = std::vector<std::string_view> FigureWords::*;
  constexpr std::array<std::pair<std::string_view, List>, 6> lists = {{
      {"mark", &FigureWords::marks},
      {"latex_address", &FigureWords::latex_addresses},
      {"formula_class", &FigureWords::formula_classes},
      {"generic", &FigureWords::generic},
      {"placeholder", &FigureWords::placeholders},
      {"script", &FigureWords::scripts},
  }};
  FigureWords all;
  for (const std::string_view line : lines_of(data_files().figures)) {
    std::vector<std::string_view> words = words_of(line);
    const auto list = kind_named(lists, words[0]).second;
    words.erase(words.begin());
    all.*list = words;
  }
  return all;
}

ChemicalWords read_chemical_words() {
  ChemicalWords all;
  for (const std::string_view line : lines_of(data_files().chemistry)) {
    std::vector<std::string_view> words = words_of(line);
    const std::string_view kind = words[0];
    words.erase(words.begin());
    if (kind == "element") all.elements = words;
    if (kind == "molecule") all.molecules = words;
    if (kind == "ion") all.ions = words;
    if (kind == "raised") all.raised.emplace_back(words[0], std::vector(words.begin() + 1, words.end()));
  }
  return all;
}

std::vector<Watermark> read_watermarks() {
  std::vector<Watermark> all;
  for (const std::string_view line : lines_of(data_files().watermarks)) {
    const std::string_view text = line.substr(0, line.find(" | "));
    const std::size_t gap = text.find('*');
    all.push_back({text.substr(0, gap), gap == std::string_view::npos ? "" : text.substr(gap + 1)});
  }
  return all;
}

// The entity of a whole name, with its semicolon; null for none.
const Entity* find_whole_entity(std::string_view name, const std::vector<Entity>& entities) {
  static const auto by_name = [&entities] {
    std::unordered_map<std::string_view, const Entity*, ShortNameHash> all;
    for (const Entity& entity : entities) all.emplace(entity.name, &entity);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace

Command find_command(std::string_view name) {
  static const CommandTable table = read_commands();
  const auto found = table.find(name);
  return found == table.end() ? Command{} : found->second;
}

ElementRule find_element(std::string_view name) {
  static const ElementTable table = read_elements();
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  const std::string_view local = local_name(name);
  const bool may_be_math = local.size() < name.size() && local.starts_with('m');
  const auto prefixed = may_be_math ? table.find(local) : table.end();
  return {.kind = prefixed == table.end() ? ElementKind::unknown : prefixed->second.kind};
}

std::string_view local_name(std::string_view name) { return name.substr(name.find(':') + 1); }

const Entity* find_entity(std::string_view text) {
  static const std::vector<Entity> entities = read_entities();
  const std::size_t semicolon = text.substr(0, 32).find(';');
  if (semicolon != std::string_view::npos) {
    const Entity* const whole = find_whole_entity(text.substr(0, semicolon + 1), entities);
    if (whole != nullptr) return whole;
  }
  // Of all names that begin `text`, each is a prefix of the next: the last one that is not greater than
  // `text`, or else a shorter one.
  std::string_view wanted = text.substr(0, 32);
  auto after = std::ranges::upper_bound(entities, wanted, {}, &Entity::name);
  while (after != entities.begin()) {
    const Entity& entity = *std::prev(after);
    if (wanted.starts_with(entity.name)) return &entity;
    const auto [mine, theirs] = std::ranges::mismatch(wanted, entity.name);
    wanted = wanted.substr(0, static_cast<std::size_t>(mine - wanted.begin()));
    if (wanted.empty()) return nullptr;
    after = std::ranges::upper_bound(entities.begin(), after, wanted, {}, &Entity::name);
  }
  return nullptr;
}

std::string_view kept_character(std::string_view text, std::size_t& length) {
  static const CharacterTable table = read_characters();
  length = std::min(sequence_length(text[0]), text.size());
  const auto found = table.find(text.substr(0, length));
  return found == table.end() ? std::string_view() : found->second;
}

const FigureWords& figure_words() {
  static const FigureWords words = read_figure_words();
  return words;
}

const ChemicalWords& chemical_words() {
  static const ChemicalWords words = read_chemical_words();
  return words;
}

const std::vector<Watermark>& watermarks() {
  static const std::vector<Watermark> all = read_watermarks();
  return all;
}

const std::vector<std::string_view>& source_words() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> all;
    for (const std::string_view line : lines_of(data_files().sources)) {
      for (const std::string_view word : words_of(line)) all.push_back(word);
    }
    return all;
  }();
  return words;
}

}  // namespace qdedup::markup
