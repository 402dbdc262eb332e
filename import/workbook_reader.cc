#include "import/workbook_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "import/number_format.h"
#include "import/office_package.h"
#include "import/question_reader.h"
#include "import/workbook_limits.h"
#include "import/xml_parser.h"
#include "refine/unicode.h"

namespace qdedup::import {
namespace {

using namespace std::string_view_literals;

Error bad_sheet(const std::string& reason) { return {ErrorCode::data, reason}; }

template <class Number>
std::optional<Number> whole_number(std::string_view digits) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

bool is_true(const std::optional<std::string_view>& attribute) {
  return attribute && *attribute != "0" && *attribute != "false";
}

// So small that nothing of it can be seen: a height in points, or a width in characters.
bool is_invisible(const std::optional<std::string_view>& size) {
  const auto number = size ? whole_number<double>(*size) : std::nullopt;
  return number && !(*number >= 1);
}

struct CellPlace {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
};

std::optional<CellPlace> place_of(std::string_view reference) {
  CellPlace place;
  while (!reference.empty() && is_capital(reference.front())) {
    place.column = place.column * 26 + static_cast<std::uint32_t>(reference.front() - 'A') + 1;
    if (place.column > workbook_limits::columns) return std::nullopt;
    reference.remove_prefix(1);
  }
  const auto row = whole_number<std::uint32_t>(reference);
  if (place.column == 0 || !row || *row == 0 || *row > workbook_limits::rows) return std::nullopt;
  place.row = *row;
  return place;
}

std::optional<CellRange> range_of(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  const auto first = place_of(reference.substr(0, colon));
  const auto last = colon == std::string_view::npos ? first : place_of(reference.substr(colon + 1));
  if (!first || !last || first->column > last->column || first->row > last->row) return std::nullopt;
  return CellRange{first->row, last->row, first->column, last->column};
}

// The character of "_x000D_" at the beginning of a text, as UTF-8; empty if there is none. Some programs
// leave what could stand there as it is (_x0061_) as it is.
std::string escaped_character(std::string_view text) {
  constexpr std::size_t length = 7;
  if (text.size() < length || !text.starts_with("_x") || text[length - 1] != '_') return {};
  unsigned code = 0;
  const char* const end = text.data() + length - 1;
  const auto parsed = std::from_chars(text.data() + 2, end, code, 16);
  const bool is_needed = (code > 0 && code < ' ') || code == '_' || code == 0xFFFE || code == 0xFFFF;
  if (parsed.ec != std::errc() || parsed.ptr != end || !is_needed) return {};
  return refine::to_utf8(std::u32string(1, static_cast<char32_t>(code)));
}

// Characters that XML cannot hold stand as _xHHHH_.
std::string without_escapes(std::string&& text) {
  if (text.find("_x") == std::string::npos) return std::move(text);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const std::string character = escaped_character(std::string_view(text).substr(at));
    if (character.empty()) {
      plain += text[at++];
    } else {
      plain += character;
      at += 7;
    }
  }
  return plain;
}

bool is_longer_than_a_cell(std::string_view text) {
  if (text.size() <= workbook_limits::cell_units) return false;
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return units > workbook_limits::cell_units;
}

// Where an element may stand in a part, and what else may stand in it.
struct Nesting {
  enum Kind {
    open,    // other elements have no effect on what is read
    closed,  // nothing but what the grammar says
    once,    // closed, and at most one in a part
  };

  std::string_view element;
  std::string_view parent;  // "*": any
  Kind kind = open;
};

// A part of SpreadsheetML by its grammar. An element of the grammar that stands elsewhere is refused, as
// programs differ in what they make of it: such as in alternate contents.
class SheetMlContent : public XmlContent {
 public:
  SheetMlContent(std::string_view root, std::span<const Nesting> grammar) : root_(root), grammar_(grammar) {}

  Status start(const XmlName& name, const XmlAttributes& attributes) final {
    if (passed_over_ > 0) {
      ++passed_over_;
      return {};
    }
    if (levels_.empty()) return start_root(name);
    const Level parent = levels_.back();
    if (name.space != space_ && std::ranges::find(spaces, name.space) != spaces.end())
      return bad_sheet("mixes the transitional and the strict form");
    const bool is_ours = name.space == space_;
    const Nesting* const found = is_ours ? nesting_of(name.local, parent.element) : nullptr;
    if (found == nullptr) return start_other(name.local, is_ours);
    if (found->kind == Nesting::once && !seen_.insert(found->element).second)
      return bad_sheet("has two " + shown_tag(name.local));
    levels_.push_back({found->element, found->kind != Nesting::open});
    return begin(found->element, parent.element, attributes);
  }

  Status end() final {
    if (passed_over_ > 0) {
      --passed_over_;
      return {};
    }
    const Level level = levels_.back();
    levels_.pop_back();
    return level.element.empty() ? Status() : finish(level.element);
  }

  Status text(std::string_view characters) final {
    if (passed_over_ > 0 || levels_.back().element.empty()) return {};
    return add_text(levels_.back().element, characters);
  }

 protected:
  virtual Status begin(std::string_view element, std::string_view parent,
                       const XmlAttributes& attributes) = 0;
  virtual Status finish(std::string_view /*element*/) { return {}; }
  virtual Status add_text(std::string_view /*element*/, std::string_view /*characters*/) { return {}; }

 private:
  struct Level {
    std::string_view element;  // empty: not in the grammar
    bool is_closed = false;
  };

  static constexpr std::array spaces = {"http://schemas.openxmlformats.org/spreadsheetml/2006/main"sv,
                                        "http://purl.oclc.org/ooxml/spreadsheetml/main"sv};

  static std::string shown_tag(std::string_view name) { return '<' + excerpt(name) + '>'; }

  Status start_root(const XmlName& name) {
    const auto space = std::ranges::find(spaces, name.space);
    if (space == spaces.end() || name.local != root_)
      return bad_sheet("is " + shown_tag(name.local) + ", not <" + std::string(root_) + ">");
    space_ = *space;
    levels_.push_back({root_, false});
    return {};
  }

  Status start_other(std::string_view name, bool is_ours) {
    const Level& parent = levels_.back();
    if (parent.is_closed) {
      const bool is_harmless = name == "extLst" || name == "rPr" || name == "phoneticPr";
      if (!is_ours || !is_harmless)
        return bad_sheet("has " + shown_tag(name) + " in <" + std::string(parent.element) + ">");
      passed_over_ = 1;
      return {};
    }
    if (is_ours && std::ranges::find(grammar_, name, &Nesting::element) != grammar_.end())
      return bad_sheet("has " + shown_tag(name) + " in an unusual place");
    levels_.push_back({});
    return {};
  }

  [[nodiscard]] const Nesting* nesting_of(std::string_view element, std::string_view parent) const {
    for (const Nesting& nesting : grammar_) {
      if (nesting.element == element && (nesting.parent == parent || nesting.parent == "*")) return &nesting;
    }
    return nullptr;
  }

  std::string_view root_;
  std::span<const Nesting> grammar_;  // what may stand anywhere is last
  std::string_view space_;            // of the root, and so of all that counts
  std::vector<Level> levels_;
  std::set<std::string_view> seen_;
  unsigned passed_over_ = 0;  // open elements
};

// The text of the runs of something, without phonetic hints.
class TextRuns {
 public:
  Status begin(std::string_view element, std::string_view parent) {
    if (element == "r") {
      has_runs_ = true;
      of_run_ = 0;
    }
    if (element != "t") return {};
    is_shown_ = parent != "rPh";
    if (is_shown_) ++(parent == "r" ? of_run_ : plain_);
    if (plain_ > 1 || of_run_ > 1 || (plain_ > 0 && has_runs_))
      return bad_sheet("has two texts in one place");
    return {};
  }
  void finish(std::string_view element) {
    if (element == "t") text_ += without_escapes(std::exchange(run_, {}));
  }
  void add(std::string_view characters) {
    if (is_shown_) run_ += characters;
  }
  std::string take() {
    std::string text = std::move(text_);
    *this = {};
    return text;
  }

 private:
  std::string text_;
  std::string run_;
  int plain_ = 0;  // texts outside runs
  int of_run_ = 0;
  bool has_runs_ = false;
  bool is_shown_ = false;
};

// The worksheets by name, with their relations.
struct ListedSheet {
  std::string name;
  std::string relation;
  bool is_hidden = false;
};

class WorkbookContent final : public SheetMlContent {
 public:
  WorkbookContent() : SheetMlContent("workbook", grammar) {}

  std::vector<ListedSheet> take() { return std::move(sheets_); }

 private:
  static constexpr std::array grammar = {Nesting{"sheets", "workbook", Nesting::once},
                                         Nesting{"sheet", "sheets", Nesting::closed}};

  Status begin(std::string_view element, std::string_view /*parent*/,
               const XmlAttributes& attributes) override {
    if (element != "sheet") return {};
    const auto relation =
        attributes.find("id", "http://schemas.openxmlformats.org/officeDocument/2006/relationships");
    const auto strict = attributes.find("id", "http://purl.oclc.org/ooxml/officeDocument/relationships");
    if (relation.has_value() == strict.has_value()) return bad_sheet("has a sheet that is nowhere, or twice");
    if (sheets_.size() == workbook_limits::sheets) return bad_sheet("has more than 1,000 sheets");
    const std::string_view name = attributes.find("name").value_or("");
    const std::string_view id = relation ? *relation : *strict;
    if (std::max(name.size(), id.size()) > workbook_limits::name_bytes)
      return bad_sheet("has a sheet whose name is too long");
    sheets_.push_back(
        {std::string(name), std::string(id), attributes.find("state").value_or("visible") != "visible"});
    return {};
  }

  std::vector<ListedSheet> sheets_;
};

// The number formats of cells.
class StylesContent final : public SheetMlContent {
 public:
  StylesContent() : SheetMlContent("styleSheet", grammar) {}

  // That of a cell's style; none if there is no such style.
  [[nodiscard]] std::optional<FormatEffect> effect(std::uint32_t style) const {
    const bool is_default = cells_.empty() && style == 0;
    if (!is_default && style >= cells_.size()) return std::nullopt;
    return is_default ? FormatEffect{} : cells_[style];
  }

  // Whether a condition may give cells a number format that shows something else.
  [[nodiscard]] bool has_replacing_conditions() const { return has_replacing_conditions_; }

 private:
  static constexpr std::array grammar = {
      Nesting{"numFmts", "styleSheet"}, Nesting{"cellStyleXfs", "styleSheet", Nesting::once},
      Nesting{"xf", "cellStyleXfs"},    Nesting{"cellXfs", "styleSheet", Nesting::once},
      Nesting{"xf", "cellXfs"},         Nesting{"numFmt", "*"}};

  static std::uint32_t number_in(const XmlAttributes& attributes, std::string_view name) {
    return whole_number<std::uint32_t>(attributes.find(name).value_or("0")).value_or(UINT32_MAX);
  }

  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override {
    if (element == "numFmt") return add_format(attributes);
    if (element == "numFmts") in_list_ = true;
    if (element != "xf") return {};
    std::vector<FormatEffect>& styles = parent == "cellXfs" ? cells_ : named_;
    if (styles.size() == workbook_limits::styles) return bad_sheet("has too many styles");
    FormatEffect effect = effect_of(number_in(attributes, "numFmtId"));
    // Some programs show a cell by the named style where its own format is not said to apply.
    const std::uint32_t named = number_in(attributes, "xfId");
    if (parent == "cellXfs" && named < named_.size()) effect = both(effect, named_[named]);
    styles.push_back(effect);
    return {};
  }

  Status finish(std::string_view element) override {
    if (element == "numFmts") in_list_ = false;
    return {};
  }

  // Elsewhere than in their list, formats are those of conditions. In it, Excel gives some in two ways, as
  // alternate contents: what one of them hides is hidden.
  Status add_format(const XmlAttributes& attributes) {
    const FormatEffect effect = effect_of_code(attributes.find("formatCode").value_or(""));
    if (!in_list_) {
      if (!effect.shows_texts || !effect.shows_numbers) has_replacing_conditions_ = true;
      return {};
    }
    FormatEffect& all = formats_[number_in(attributes, "numFmtId")];
    all = both(all, effect);
    return formats_.size() > workbook_limits::styles ? bad_sheet("has too many number formats") : Status();
  }

  static FormatEffect both(const FormatEffect& one, const FormatEffect& other) {
    return {one.shows_texts && other.shows_texts, one.shows_numbers && other.shows_numbers};
  }

  [[nodiscard]] FormatEffect effect_of(std::uint32_t format) const {
    const auto own = formats_.find(format);
    return own == formats_.end() ? effect_of_built_in(format) : own->second;
  }

  std::map<std::uint32_t, FormatEffect> formats_;
  std::vector<FormatEffect> named_;
  std::vector<FormatEffect> cells_;
  bool in_list_ = false;
  bool has_replacing_conditions_ = false;
};

// The texts that cells refer to by number.
class SharedTexts final : public SheetMlContent {
 public:
  SharedTexts() : SheetMlContent("sst", grammar) {}

  [[nodiscard]] const std::string* find(std::string_view index) const {
    const auto number = whole_number<std::uint32_t>(index);
    return number && *number < texts_.size() ? &texts_[*number] : nullptr;
  }

 private:
  static constexpr std::array grammar = {
      Nesting{"si", "sst", Nesting::closed}, Nesting{"t", "si", Nesting::closed},
      Nesting{"r", "si", Nesting::closed},   Nesting{"t", "r", Nesting::closed},
      Nesting{"rPh", "si", Nesting::closed}, Nesting{"t", "rPh", Nesting::closed}};

  Status begin(std::string_view element, std::string_view parent,
               const XmlAttributes& /*attributes*/) override {
    return runs_.begin(element, parent);
  }
  Status finish(std::string_view element) override {
    runs_.finish(element);
    if (element != "si") return {};
    texts_.push_back(runs_.take());
    texts_.back().shrink_to_fit();
    return add_bytes(sizeof(std::string) + 2 * sizeof(void*));
  }
  Status add_text(std::string_view element, std::string_view characters) override {
    if (element != "t") return {};
    runs_.add(characters);
    return add_bytes(characters.size());
  }

  Status add_bytes(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ > workbook_limits::shared_bytes ? bad_sheet("has more than 1 GiB of texts") : Status();
  }

  std::deque<std::string> texts_;
  TextRuns runs_;
  std::size_t bytes_ = 0;
};

class SheetContent final : public SheetMlContent {
 public:
  SheetContent(Sheet& sheet, OfficePackage& package, const StylesContent& styles, const SharedTexts& shared,
               const TakeSheetRow& take)
      : SheetMlContent("worksheet", grammar),
        sheet_(sheet),
        package_(package),
        styles_(styles),
        shared_(shared),
        take_(take) {}

 private:
  static constexpr std::array grammar = {
      Nesting{"c", "row", Nesting::closed},
      Nesting{"v", "c", Nesting::closed},
      Nesting{"row", "sheetData", Nesting::closed},
      Nesting{"f", "c", Nesting::closed},
      Nesting{"is", "c", Nesting::closed},
      Nesting{"t", "is", Nesting::closed},
      Nesting{"r", "is", Nesting::closed},
      Nesting{"t", "r", Nesting::closed},
      Nesting{"rPh", "is", Nesting::closed},
      Nesting{"t", "rPh", Nesting::closed},
      Nesting{"sheetPr", "worksheet"},
      Nesting{"sheetFormatPr", "worksheet"},
      Nesting{"cols", "worksheet"},
      Nesting{"col", "cols"},
      Nesting{"sheetData", "worksheet", Nesting::once},
      Nesting{"mergeCells", "worksheet"},
      Nesting{"mergeCell", "mergeCells"},
      Nesting{"autoFilter", "*"},
      Nesting{"filterColumn", "*"},
      Nesting{"conditionalFormatting", "*"},
      Nesting{"numFmt", "*"},
      Nesting{"dataBar", "*"},
      Nesting{"iconSet", "*"},
  };

  // The cell that is being read.
  struct OpenCell {
    std::uint32_t column = 0;
    std::string type;
    std::string value;
    FormatEffect effect;
    bool has_value = false;
    bool has_runs = false;
    bool is_formula = false;
    bool is_rich = false;
  };

  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override {
    if (element == "sheetData") has_rows_ = true;
    if (has_rows_ && (element == "sheetPr" || element == "sheetFormatPr" || element == "cols"))
      return bad_sheet("says after its rows how they are shown");
    if (element == "c") return begin_cell(attributes);
    if (element == "v") return expect_first(cell_.has_value);
    if (element == "row") return begin_row(attributes);
    if (element == "f") return begin_formula(attributes);
    if (element == "is") return expect_first(cell_.has_runs);
    if (element == "col") return add_columns(attributes);
    if (element == "mergeCell") return add_range(sheet_.merged, attributes.find("ref").value_or(""));
    if (element == "sheetPr" && is_true(attributes.find("filterMode"))) sheet_.is_filtered = true;
    if (element == "autoFilter") in_filter_ = parent == "worksheet";  // those of other views do not count
    if (element == "filterColumn" && in_filter_) sheet_.is_filtered = true;
    if (element == "sheetFormatPr") {
      hides_rows_ =
          is_true(attributes.find("zeroHeight")) || is_invisible(attributes.find("defaultRowHeight"));
      if (is_invisible(attributes.find("defaultColWidth"))) return bad_sheet("hides columns by default");
    }
    if (element == "conditionalFormatting" && styles_.has_replacing_conditions()) return bad_condition();
    if (element == "numFmt") {  // of a condition
      const FormatEffect effect = effect_of_code(attributes.find("formatCode").value_or(""));
      if (!effect.shows_texts || !effect.shows_numbers) return bad_condition();
    }
    if ((element == "dataBar" || element == "iconSet") && attributes.find("showValue") &&
        !is_true(attributes.find("showValue"))) {
      return bad_condition();
    }
    return runs_.begin(element, parent);
  }

  Status finish(std::string_view element) override {
    runs_.finish(element);
    if (element == "c") return finish_cell();
    if (element != "row" || row_.cells.empty()) return {};
    return take_(sheet_, row_);
  }

  Status add_text(std::string_view element, std::string_view characters) override {
    if (element == "v") cell_.value += characters;
    if (element == "t") runs_.add(characters);
    return element == "v" || element == "t" ? add_bytes(characters.size()) : Status();
  }

  Status expect_first(bool& is_there) {
    if (std::exchange(is_there, true)) return bad_cell("has two values");
    return {};
  }

  static Error bad_condition() {
    return bad_sheet("has a conditional format that may show something else: remove it");
  }

  [[nodiscard]] Error bad_cell(const std::string& reason) const {
    return bad_sheet(cell_name(cell_.column, row_.row) + ": " + reason);
  }

  Status add_range(std::vector<CellRange>& ranges, std::string_view reference) {
    const auto range = range_of(reference);
    if (!range) return bad_sheet("has a range that is none: " + excerpt(reference));
    if (ranges.size() == workbook_limits::ranges) return bad_sheet("has too many ranges of cells");
    ranges.push_back(*range);
    return {};
  }

  Status add_columns(const XmlAttributes& attributes) {
    const auto first = whole_number<std::uint32_t>(attributes.find("min").value_or(""));
    const auto last = whole_number<std::uint32_t>(attributes.find("max").value_or(""));
    if (!first || !last || *first == 0 || *first > *last || *last > workbook_limits::columns)
      return bad_sheet("has columns that are none");
    if (!is_true(attributes.find("hidden")) && !is_invisible(attributes.find("width"))) return {};
    if (sheet_.hidden_columns.size() == workbook_limits::ranges) return bad_sheet("has too many columns");
    sheet_.hidden_columns.push_back({1, workbook_limits::rows, *first, *last});
    return {};
  }

  Status begin_row(const XmlAttributes& attributes) {
    const auto given = attributes.find("r");
    const auto number =
        given ? whole_number<std::uint32_t>(*given) : std::optional<std::uint32_t>(row_.row + 1);
    if (!number || *number <= row_.row || *number > workbook_limits::rows) {
      return bad_sheet("row " + std::to_string(row_.row) + " is followed by row " +
                       excerpt(given.value_or("")));
    }
    row_.row = *number;
    row_.is_hidden = is_true(attributes.find("hidden")) || is_invisible(attributes.find("ht")) || hides_rows_;
    row_.cells.clear();
    row_bytes_ = 0;
    cell_ = {};
    return {};
  }

  Status begin_cell(const XmlAttributes& attributes) {
    CellPlace place{cell_.column + 1, row_.row};
    if (const auto given = attributes.find("r")) {
      const auto named = place_of(*given);
      if (!named || named->row != row_.row || named->column < place.column) {
        return bad_sheet("row " + std::to_string(row_.row) + ": the cell " + excerpt(*given) +
                         " is out of order, or of another row");
      }
      place = *named;
    }
    cell_ = {};
    cell_.column = place.column;
    if (place.column > workbook_limits::columns) return bad_cell("lies beyond the last column");
    cell_.type = attributes.find("t").value_or("n");
    const auto style = whole_number<std::uint32_t>(attributes.find("s").value_or("0"));
    const auto effect = style ? styles_.effect(*style) : std::nullopt;
    if (!effect) return bad_cell("has a style that is not there");
    cell_.effect = *effect;
    cell_.is_rich = attributes.find("vm").has_value();
    (void)runs_.take();
    return {};
  }

  Status begin_formula(const XmlAttributes& attributes) {
    if (std::exchange(cell_.is_formula, true)) return bad_cell("has two formulas");
    const std::string_view kind = attributes.find("t").value_or("normal");
    const auto range = attributes.find("ref");
    if (!range || (kind != "array" && kind != "dataTable")) return {};
    return add_range(sheet_.formulas, *range);
  }

  Status add_bytes(std::size_t bytes) {
    row_bytes_ += bytes;
    if (row_bytes_ <= workbook_limits::row_bytes) return {};
    return bad_sheet("row " + std::to_string(row_.row) + " has more than 16 MiB");
  }

  Status finish_cell() {
    if (cell_.type == "inlineStr" ? cell_.has_value : cell_.has_runs)
      return bad_cell("has a value of another type");
    const bool is_text = cell_.type == "str" || cell_.type == "inlineStr";
    cell_.has_value = cell_.has_value && (is_text || !cell_.value.empty());
    SheetCell cell{cell_.column, {}, {}};
    if (!cell_.has_value && !cell_.has_runs && !cell_.is_formula) return {};
    if (cell_.has_value || cell_.has_runs) QDEDUP_TRY(take_value(cell));
    if (is_longer_than_a_cell(cell.text)) cell.problem = cell_problem::too_long;
    if (cell_.is_rich) cell.problem = cell_problem::rich;
    if (cell_.is_formula) cell.problem = cell_problem::formula;
    row_.cells.push_back(std::move(cell));
    return {};
  }

  // By the type of the cell.
  Status take_value(SheetCell& cell) {
    const std::string_view type = cell_.type;
    if (type == "inlineStr" || type == "str") {
      cell.text = type == "str" ? without_escapes(std::move(cell_.value)) : runs_.take();
    } else if (type == "s") {
      const std::string* const text = shared_.find(cell_.value);
      if (text == nullptr) return bad_cell("refers to a text that is not there");
      QDEDUP_TRY(add_bytes(text->size()));
      QDEDUP_TRY(package_.count_unpacked(text->size()));
      cell.text = *text;
    } else if (type == "n") {
      return take_number(cell);
    } else if (type == "b") {
      if (cell_.value != "0" && cell_.value != "1") return bad_cell("has a truth that is none");
      cell.text = cell_.value == "1" ? "TRUE" : "FALSE";
    } else if (type == "e" || type == "d") {
      cell.text = std::move(cell_.value);
      cell.problem = type == "e" ? cell_problem::error : cell_problem::format;
    } else {
      return bad_cell("has a value of an unknown type");
    }
    if (!cell_.effect.shows_texts) cell.problem = cell_problem::format;
    return {};
  }

  Status take_number(SheetCell& cell) {
    const auto number = whole_number<double>(cell_.value);
    if (!number || !std::isfinite(*number)) return bad_cell("has a number that is none");
    constexpr double most_digits = 1e15;
    if (std::abs(*number) >= most_digits) {
      cell.problem = cell_problem::rounded;
    } else if (*number == std::trunc(*number)) {
      cell_.value = std::to_string(static_cast<std::int64_t>(*number));
    }
    cell.text = std::move(cell_.value);
    if (!cell_.effect.shows_numbers) cell.problem = cell_problem::format;
    return {};
  }

  Sheet& sheet_;
  OfficePackage& package_;
  const StylesContent& styles_;
  const SharedTexts& shared_;
  const TakeSheetRow& take_;
  SheetRow row_;
  OpenCell cell_;
  TextRuns runs_;
  std::size_t row_bytes_ = 0;
  bool has_rows_ = false;
  bool hides_rows_ = false;
  bool in_filter_ = false;
};

// A table that lies over cells; it may have a filter of its own.
class TableContent final : public SheetMlContent {
 public:
  TableContent() : SheetMlContent("table", grammar) {}

  [[nodiscard]] bool is_filtered() const { return is_filtered_; }

 private:
  static constexpr std::array grammar = {Nesting{"autoFilter", "table"},
                                         Nesting{"filterColumn", "autoFilter"}};

  Status begin(std::string_view element, std::string_view /*parent*/,
               const XmlAttributes& /*attributes*/) override {
    is_filtered_ = is_filtered_ || element == "filterColumn";
    return {};
  }

  bool is_filtered_ = false;
};

Status look_for_filters(OfficePackage& package, const std::string& part, Sheet& sheet) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> relations, package.relations_of(part));
  for (const PartRelation& relation : relations) {
    if (relation.kind != "table" || sheet.is_filtered) continue;
    TableContent table;
    QDEDUP_TRY(package.read(relation.part, table));
    sheet.is_filtered = table.is_filtered();
  }
  return {};
}

// The only part of a kind that `part` refers to, if it refers to one.
Status read_optional(OfficePackage& package, const std::vector<PartRelation>& relations,
                     const std::string& kind, XmlContent& content) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> part, package.only_part(relations, kind));
  return part ? package.read(*part, content) : Status();
}

// The worksheets with their parts, in order.
Result<std::vector<std::pair<Sheet, std::string>>> sheets_of(OfficePackage& package,
                                                             const std::string& workbook,
                                                             const std::vector<PartRelation>& relations) {
  WorkbookContent content;
  QDEDUP_TRY(package.read(workbook, content));
  std::vector<std::pair<Sheet, std::string>> sheets;
  std::set<std::string> parts;
  std::uint32_t number = 0;
  for (ListedSheet& listed : content.take()) {
    ++number;
    const auto relation = std::ranges::find(relations, listed.relation, &PartRelation::id);
    const std::string shown = "sheet " + excerpt(listed.name, 100);
    if (relation == relations.end()) return bad_sheet(shown + " is nowhere");
    if (relation->kind != "worksheet") continue;  // such as a chart
    if (relation->part.empty() || !parts.insert(relation->part).second)
      return bad_sheet(shown + " is in another file, or twice in this one");
    Sheet sheet;
    sheet.number = number;
    sheet.name = std::move(listed.name);
    sheet.is_hidden = listed.is_hidden;
    sheets.emplace_back(std::move(sheet), relation->part);
  }
  return sheets;
}

Status read_sheets(const logs::RegularFile& file, const TakeSheetRow& take, const EndSheet& end) {
  QDEDUP_ASSIGN_OR_RETURN(OfficePackage package, OfficePackage::open(file));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> roots, package.relations_of(""));
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> workbook,
                          OfficePackage::only_part(roots, "officeDocument"));
  if (!workbook) return bad_sheet("is no XLSX workbook");
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> relations, package.relations_of(*workbook));
  QDEDUP_ASSIGN_OR_RETURN(auto sheets, sheets_of(package, *workbook, relations));
  StylesContent styles;
  QDEDUP_TRY(read_optional(package, relations, "styles", styles));
  SharedTexts shared;
  QDEDUP_TRY(read_optional(package, relations, "sharedStrings", shared));
  for (auto& [sheet, part] : sheets) {
    SheetContent content(sheet, package, styles, shared, take);
    QDEDUP_TRY(package.read(part, content));
    QDEDUP_TRY(look_for_filters(package, part, sheet));
    QDEDUP_TRY(end(sheet));
  }
  return {};
}

}  // namespace

bool Sheet::hides(std::uint32_t column) const {
  return std::ranges::any_of(hidden_columns, [column](const CellRange& range) {
    return range.first_column <= column && column <= range.last_column;
  });
}

std::string cell_name(std::uint32_t column, std::uint32_t row) {
  std::string letters;
  for (std::uint32_t rest = column; rest > 0; rest = (rest - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return letters + std::to_string(row);
}

bool is_workbook(std::string_view first_bytes) { return first_bytes.starts_with("PK\x03\x04"); }

Status read_workbook(const logs::RegularFile& file, const TakeSheetRow& take, const EndSheet& end) {
  std::optional<Error> refused;  // by the caller, who words it
  const auto noted = [&refused](Status status) {
    if (!status.ok()) refused = status.error();
    return status;
  };
  Status done = read_sheets(
      file, [&](const Sheet& sheet, SheetRow& row) { return noted(take(sheet, row)); },
      [&](const Sheet& sheet) { return noted(end(sheet)); });
  if (refused) return *refused;
  if (done.ok() || done.error().code != ErrorCode::data) return done;
  return bad_sheet(file.path() + ": " + done.error().message + ": save it as .xlsx again, or as CSV UTF-8");
}

}  // namespace qdedup::import
