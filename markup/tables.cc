#include "markup/tables.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <span>
#include <unordered_map>

#include "base/ascii.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// The lines of a data file that are neither empty nor comments.
std::vector<std::string_view> lines_of(std::string_view file) {
  std::vector<std::string_view> lines;
  while (!file.empty()) {
    const std::string_view line = take_until(file, '\n');
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

// The number of the one of `names` that is `word`, from 0. A word that is none is a mistake in a data file,
// which is part of the program.
std::size_t place_in(std::span<const std::string_view> names, std::string_view word) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) std::abort();
  return static_cast<std::size_t>(found - names.begin());
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
constexpr std::array<std::string_view, 33> structures = {
    "frac",        "dfrac",   "tfrac",    "cfrac", "binom",  "dbinom",  "tbinom",          "sqrt",
    "left",        "right",   "begin",    "end",   "sp",     "sb",      "textsuperscript", "textsubscript",
    "textcircled", "circled", "not",      "over",  "atop",   "choose",  "genfrac",         "nicefrac",
    "sfrac",       "xfrac",   "flatfrac", "cr",    "matrix", "pmatrix", "cases",           "substack",
    "ding",
};

// How a line of the file begins, in the order of CommandKind; a number behind it says how many arguments are
// dropped.
constexpr std::array<std::string_view, 12> command_kinds = {"sign",  "name",  "space", "nothing",
                                                            "group", "drop",  "gap",   "labelled",
                                                            "above", "below", "drawn", "accent"};
static_assert(command_kinds.size() + 1 == static_cast<std::size_t>(CommandKind::structure));

// The same of ElementKind.
constexpr std::array<std::string_view, 40> element_kinds = {
    "inline",     "underlined", "struck",    "enclosed",     "block",       "break", "rule",
    "void",       "field",      "space",     "phantom",      "skip",        "raw",   "paragraph",
    "item",       "raised",     "lowered",   "table",        "row",         "cell",  "image",
    "figure",     "fraction",   "script_up", "script_down",  "script_both", "over",  "under",
    "root",       "nth_root",   "fenced",    "multiscripts", "math",        "glyph", "properties",
    "prescripts", "radical",    "delimited", "accented",     "lines"};
static_assert(element_kinds.size() == static_cast<std::size_t>(ElementKind::lines));

bool writes_text(CommandKind kind) {
  return kind == CommandKind::sign || kind == CommandKind::labelled || kind == CommandKind::drawn ||
         kind == CommandKind::accent;
}

CommandTable read_commands() {
  CommandTable table;
  for (const std::string_view line : lines_of(data_files().commands)) {
    const std::vector<std::string_view> words = words_in(line);
    const char last = words[0].back();
    const bool has_number = is_digit(last);
    const std::string_view name = words[0].substr(0, words[0].size() - (has_number ? 1 : 0));
    const auto kind = static_cast<CommandKind>(place_in(command_kinds, name) + 1);
    const std::size_t first = writes_text(kind) ? 2 : 1;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::string_view text = first == 2 ? words[1] : words[i];
      table.emplace(words[i], Command{kind, text, has_number ? static_cast<unsigned>(last - '0') : 0});
    }
  }
  for (const std::string_view name : structures) table[name] = {CommandKind::structure, name, 0};
  return table;
}

ElementTable read_elements() {
  ElementTable table;
  for (const std::string_view line : lines_of(data_files().elements)) {
    const std::vector<std::string_view> words = words_in(line);
    const auto kind = static_cast<ElementKind>(place_in(element_kinds, words[0]) + 1);
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
    const std::vector<std::string_view> words = words_in(line);
    std::u32string text;
    for (std::size_t i = 1; i < words.size(); ++i) {
      text += static_cast<char32_t>(std::stoul(std::string(words[i]), nullptr, 16));
    }
    entities.push_back({words[0], refine::to_utf8(text)});
  }
  std::ranges::sort(entities, {}, &Entity::name);
  return entities;
}

using CharacterTable = std::unordered_map<std::string_view, std::string_view>;

CharacterTable read_characters() {
  CharacterTable table;
  for (const std::string_view line : lines_of(data_files().characters)) {
    const std::vector<std::string_view> words = words_in(line);
    for (std::size_t i = 1; i < words.size(); ++i) table.emplace(words[i], words[0]);
  }
  // What the font shows may itself be written for another character.
  static std::deque<std::string> codes;
  for (const std::string_view line : lines_of(data_files().symbol_font)) {
    const std::vector<std::string_view> words = words_in(line);
    const auto code = static_cast<char32_t>(std::stoul(std::string(words[0]), nullptr, 16));
    const auto kept = table.find(words[1]);
    codes.push_back(refine::to_utf8(std::u32string(1, symbol_font_begin + code)));
    table.emplace(codes.back(), kept == table.end() ? words[1] : kept->second);
  }
  return table;
}

FigureWords read_figure_words() {
  constexpr std::array<std::string_view, 10> kinds = {
      "mark",    "latex_address", "latex_path",     "formula_class", "formula_folder",
      "generic", "generic_stem",  "generic_folder", "placeholder",   "script"};
  FigureWords all;
  const std::array<std::vector<std::string_view>*, kinds.size()> lists = {
      &all.marks,   &all.latex_addresses, &all.latex_paths,     &all.formula_classes, &all.formula_folders,
      &all.generic, &all.generic_stems,   &all.generic_folders, &all.placeholders,    &all.scripts};
  for (const std::string_view line : lines_of(data_files().figures)) {
    std::vector<std::string_view> words = words_in(line);
    std::vector<std::string_view>& list = *lists.at(place_in(kinds, words[0]));
    words.erase(words.begin());
    list = std::move(words);
  }
  return all;
}

ChemicalWords read_chemical_words() {
  ChemicalWords all;
  for (const std::string_view line : lines_of(data_files().chemistry)) {
    std::vector<std::string_view> words = words_in(line);
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

std::string_view kept_character(std::string_view character) {
  static const CharacterTable table = read_characters();
  const auto found = table.find(character);
  return found == table.end() ? character : found->second;
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
      for (const std::string_view word : words_in(line)) all.push_back(word);
    }
    return all;
  }();
  return words;
}

}  // namespace qdedup::markup
