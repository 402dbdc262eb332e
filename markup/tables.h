#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the files of markup/data say, embedded when the program is built and read at the first call. Each file
// starts with where its lines come from.
namespace qdedup::markup {

struct DataFiles {
  std::string_view characters;
  std::string_view chemistry;
  std::string_view commands;
  std::string_view elements;
  std::string_view entities;
  std::string_view figures;
  std::string_view sources;
  std::string_view symbol_font;
  std::string_view watermarks;
};

// They live as long as the program.
DataFiles data_files();

// The data file names them in this order.
enum class CommandKind : std::uint8_t {
  unknown,
  sign,
  name,
  space,
  nothing,
  group,
  drop,
  gap,
  labelled,
  above,
  below,
  drawn,
  accent,
  structure
};

// What a LaTeX command comes to. A structure (\frac, \sqrt, \left …) is known to the reader itself.
struct Command {
  CommandKind kind = CommandKind::unknown;
  std::string_view text;   // of a sign, a name or an accent
  unsigned arguments = 0;  // that are dropped
};

// `name` is without backslash. Constant time.
Command find_command(std::string_view name);

// The same.
enum class ElementKind : std::uint8_t {
  unknown,
  inline_text,
  underlined,
  struck,
  enclosed,
  block,
  line_break,
  rule,
  empty,
  field,
  space,
  phantom,
  skipped,
  raw,
  paragraph,
  item,
  raised,
  lowered,
  table,
  row,
  cell,
  image,
  figure,
  fraction,
  script_up,
  script_down,
  script_both,
  over,
  under,
  root,
  nth_root,
  fenced,
  multiscripts,
  math,  // a whole formula
  glyph,
  // Of Word's formulas, whose properties stand before the content:
  properties,
  prescripts,
  radical,
  delimited,
  accented,
  lines,
};

// The name of an element without the prefix of a namespace.
std::string_view local_name(std::string_view name);

struct ElementRule {
  ElementKind kind = ElementKind::unknown;
  std::uint16_t number = 0;  // of the name, below element_names; 0 for one that no rule has
};
inline constexpr std::size_t element_names = 512;

// `name` is in lower case; elements of MathML may have a prefix. Constant time.
ElementRule find_element(std::string_view name);

struct Entity {
  std::string_view name;  // with its semicolon, if it has one
  std::string text;       // UTF-8
};

// The longest character reference that `text`, which follows an ampersand, begins with; null for none.
// Logarithmic in the number of references.
const Entity* find_entity(std::string_view text);

// Where the characters of the font Symbol stand in Unicode's area for private use.
inline constexpr char32_t symbol_font_begin = 0xF000;

// The one that is kept for a character, most often itself.
std::string_view kept_character(std::string_view character);

// What is known of figures.
struct FigureWords {
  std::vector<std::string_view> marks;            // that stand for a figure
  std::vector<std::string_view> latex_addresses;  // whose query is LaTeX
  std::vector<std::string_view> latex_paths;      // whose path from there on is LaTeX
  std::vector<std::string_view> formula_classes;
  std::vector<std::string_view> formula_folders;
  std::vector<std::string_view> generic;          // names that many files have, before their number,
  std::vector<std::string_view> generic_stems;    // those that are no names of folders,
  std::vector<std::string_view> generic_folders;  // and those of folders
  std::vector<std::string_view> placeholders;     // names of what only holds a place
  std::vector<std::string_view> scripts;          // endings of names that are no figure's own
};
const FigureWords& figure_words();

struct Watermark {
  std::string_view begin;  // four bytes at least
  std::string_view end;    // empty for one without a gap
};
const std::vector<Watermark>& watermarks();

// By what chemical formulas in plain letters are known.
struct ChemicalWords {
  std::vector<std::string_view> elements;   // with a symbol of two letters
  std::vector<std::string_view> molecules;  // that elements among these form alone
  std::vector<std::string_view> ions;       // that have a charge without a number
  // Names of proteins and genes, and what is raised after each.
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> raised;
};
const ChemicalWords& chemical_words();

// Words by which a bracket is known for the source of a question.
const std::vector<std::string_view>& source_words();

}  // namespace qdedup::markup
