#include "markup/html_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/element_stack.h"
#include "markup/html_tokenizer.h"
#include "markup/marks.h"
#include "markup/style.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// What is known of a table before its end: one of two rows with a line between is a fraction.
struct Table {
  std::size_t begin = 0;       // where its mark stands
  std::size_t second_row = 0;  // the same of the second row
  std::size_t rows = 0;
  std::size_t cells = 0;                 // of the row
  std::size_t cell = std::string::npos;  // where the last cell begins, if it holds no table
  bool one_column = true;
  bool has_line = false;
  bool is_marked = false;
  bool is_matrix = false;  // of MathML
};

constexpr std::string_view empty_cell = "____";

bool is_child_of_formula(ElementKind parent) {
  return (parent >= ElementKind::fraction && parent <= ElementKind::multiscripts) ||
         parent > ElementKind::properties;
}

// What the properties of a formula of Word say.
struct Properties {
  std::string_view begin = "(";
  std::string_view end = ")";
  std::string_view character = {};
  bool hides_degree = false;
  std::size_t fraction = 0;  // after its mark
};

std::string_view default_character(std::string_view name) {
  if (name == "m:nary") return "∫";
  if (name == "m:acc") return "\u0302";
  if (name == "m:bar") return drawn::line_below;
  return name == "m:groupchr" ? "⏟" : "";
}

bool needs_break(ElementKind kind) {
  return kind == ElementKind::block || kind == ElementKind::paragraph || kind == ElementKind::item ||
         kind == ElementKind::line_break;
}

class HtmlReader {
 public:
  HtmlReader(std::string_view page, bool draws, bool is_inner = false)
      : page_(page),
        tokens_(page, HtmlTokenizer::Reading::caution),
        draws_(draws),
        is_inner_(is_inner),
        has_scripts_(may_hold_scripts(page)) {
    result_.text.reserve(page.size() / 2);
  }

  MarkedText read() && {
    HtmlToken token;
    while (tokens_.next(token)) {
      take(token);
      token_begin_ = tokens_.position();
    }
    while (!elements_.empty()) end_element();
    put_picture(lost_);
    return std::move(result_);
  }

 private:
  void take(const HtmlToken& token) {
    if (token.kind == HtmlToken::Kind::text) return take_text(token);
    result_.has_markup = true;
    if (token.kind == HtmlToken::Kind::start_tag) start(token);
    if (token.kind == HtmlToken::Kind::end_tag) end(token);
    if (token.kind == HtmlToken::Kind::comment && hidden_ == 0) take_comment(token.text);
  }

  // Word hides formulas from browsers in comments, and shows them pictures instead.
  void take_comment(std::string_view text) {
    const std::size_t formula = text.find("<m:oMath");
    if (formula != std::string_view::npos) {
      has_hidden_formula_ = put_mathml(text.substr(formula, text.rfind("<![endif]") - formula));
      return;
    }
    if (!text.starts_with("[if !msEquation") || !std::exchange(has_hidden_formula_, false)) return;
    if (!last_picture_end_) last_picture_end_ = page_.rfind("<![endif]>");
    if (*last_picture_end_ == std::string_view::npos || *last_picture_end_ < tokens_.position()) return;
    for (HtmlToken token; tokens_.next(token);) {
      if (token.kind == HtmlToken::Kind::comment && token.text == "[endif]") return;
    }
  }

  void take_text(const HtmlToken& token) {
    if (!script_.empty()) {
      if (hidden_ == 1) put_script(token.text);
      return;
    }
    if (hidden_ > 0) return;
    const bool references = token.has_references && token.text.find('&') != std::string_view::npos;
    const std::size_t begin = result_.text.size();
    if (references) {
      append_decoded(result_.text, token.text);
      result_.has_markup |= result_.text.size() - begin != token.text.size();
    } else {
      result_.text += token.text;
    }
    remove_marks(begin);
    if (in_symbol_font_ > 0) shift_symbols(begin);
  }

  // Letters, and the signs that the font Symbol shows otherwise, become its characters for private use.
  void shift_symbols(std::size_t begin) {
    constexpr char32_t latin_end = 0x100;
    constexpr std::u32string_view signs = U"\"$'@\\^";
    std::u32string shown = refine::to_utf32(std::string_view(result_.text).substr(begin));
    for (char32_t& c : shown) {
      const bool is_upper_half = c > 0xA0 && c < latin_end;
      if (is_letter(c) || is_upper_half || signs.find(c) != std::u32string_view::npos) c += symbol_font_begin;
    }
    result_.text.replace(begin, std::string::npos, refine::to_utf8(shown));
  }

  // Control characters that the page has are white space.
  void remove_marks(std::size_t begin) {
    const auto text = result_.text.begin();
    std::replace_if(text + static_cast<std::ptrdiff_t>(begin), result_.text.end(), mark::is_control, ' ');
  }

  void put(char mark) {
    if (hidden_ == 0) result_.text += mark;
  }

  // Part of the value of an attribute.
  void put_text(std::string_view value) {
    const std::size_t begin = result_.text.size();
    append_decoded(result_.text, value, true);
    remove_marks(begin);
  }

  void put_formula(std::string_view latex) {
    result_.text += mark::formula;
    const std::size_t begin = result_.text.size();
    result_.text += latex;
    remove_marks(begin);
    result_.text += mark::close;
  }

  // The source of what stands before it.
  void put_script(std::string_view source) {
    lost_ = {};
    if (!is_mathml(source) || !put_mathml(source)) put_formula(source);
  }

  void start(const HtmlToken& tag) {
    Element element;
    element.name = ElementStack::name_of(tag.text, tag.element);
    const std::string name = lower_case(tag.text);
    element.kind = tag.element.kind;
    end_implied(element.kind);
    if (hidden_ == 0) {
      if (element.kind == ElementKind::unknown) note_unknown(name, element);
      begin_child(name, element.kind);
      begin(tag, element);
      if (element.kind > ElementKind::math) begin_of_word(tag, name, element);
    }
    const bool has_content = element.kind != ElementKind::empty && element.kind != ElementKind::line_break &&
                             element.kind != ElementKind::image && !tag.self_closing;
    if (element.kind == ElementKind::raw && has_content) start_raw(tag, name, element);
    if (name == "textarea") tokens_.read_raw(name, true);
    elements_.push(element);
    if (element.hides) ++hidden_;
    if (!has_content) end_element();
  }

  void start_raw(const HtmlToken& tag, const std::string& name, Element& element) {
    element.hides = tokens_.read_raw(name, false);
    const std::string_view type = tag.attribute("type").value_or("");
    const auto is_type = [type](std::string_view formula) { return type.starts_with(formula); };
    if (std::ranges::any_of(script_types, is_type)) script_ = name;
  }

  // Ends what the start of an element of this kind ends: a paragraph, an item, a cell, a row.
  void end_implied(ElementKind kind) {
    std::size_t depth = 0;
    if (needs_break(kind) && kind != ElementKind::line_break) {
      depth = elements_.depth_of(ElementKind::paragraph, ElementKind::cell);
    }
    if (kind == ElementKind::item && depth == 0) {
      depth = elements_.depth_of(ElementKind::item, ElementKind::block);
    }
    if (kind == ElementKind::cell) depth = elements_.depth_of(ElementKind::cell, ElementKind::table);
    if (kind == ElementKind::row) depth = elements_.depth_of(ElementKind::row, ElementKind::table);
    for (; depth > 0; --depth) end_element();
  }

  // Within a formula it may be what tells two questions apart.
  void note_unknown(const std::string& name, Element& element) {
    ++result_.unknown["<" + name + ">"];
    const bool is_of_layout = name.starts_with("w:") || name.starts_with("o:");
    if (in_math_ == 0 || is_of_layout) return;
    result_.text += "∖" + name + " ";
    element.kind = ElementKind::lines;
  }

  // The marks between the children of a formula's element.
  void begin_child(std::string_view name, ElementKind kind) {
    if (elements_.empty() || !is_child_of_formula(elements_.top().kind)) return;
    if (kind == ElementKind::properties) return;
    properties_.fraction = 0;
    Element& parent = elements_.top();
    if (local_name(name) == "mprescripts") {
      parent.children = 0;
      return;
    }
    const std::uint32_t child = parent.children++;
    switch (parent.kind) {
      case ElementKind::fraction:
      case ElementKind::over:
      case ElementKind::nth_root:
        if (child == 1) put(mark::next);
        break;
      case ElementKind::fenced:
        if (child > 0) put(',');
        break;
      case ElementKind::script_up:
        if (child == 1) begin_script(parent, mark::raise);
        break;
      case ElementKind::script_down:
      case ElementKind::script_both:
      case ElementKind::under:
      case ElementKind::multiscripts:
        if (child > 0) begin_script(parent, child % 2 == 1 ? mark::lower : mark::raise);
        break;
      case ElementKind::prescripts:
        if (child == 0) put_text(properties_.character);
        if (child < 2) begin_script(parent, child == 0 ? mark::lower : mark::raise);
        if (child == 2) put(mark::close);
        if (child == 2) parent.closes = 0;
        break;
      case ElementKind::radical:
        begin_child_of_root(name, parent, child);
        break;
      case ElementKind::accented:
        if (child == 0) parent.ending = properties_.character;
        break;
      case ElementKind::delimited:
        if (child > 0) put('|');
        if (child == 0) put_text(properties_.begin);
        if (child == 0) parent.ending = properties_.end;
        break;
      case ElementKind::lines:
        if (child > 0) put(mark::line_break);
        break;
      default:
        break;
    }
  }

  // The degree, if it is there and not hidden, stands before what the root is of.
  void begin_child_of_root(std::string_view name, Element& parent, std::uint32_t child) {
    if (child == 0) put_text("√");
    if (name != "m:deg") {
      put_text(std::exchange(parent.ending, {}));
      if (parent.closes == 0) open(parent, mark::group);
    } else if (!properties_.hides_degree) {
      put('[');
      parent.ending = "]";
    }
  }

  void begin_script(Element& parent, char kind) {
    if (parent.closes > 0) put(mark::close);
    parent.closes = 1;
    put(kind);
  }

  // What stands in formulas of Word, and in those that MathJax draws by classes.
  void begin_of_word(const HtmlToken& tag, std::string_view name, Element& element) {
    if (element.kind == ElementKind::glyph) return put_glyph(tag.attribute("class").value_or(""));
    if (element.kind == ElementKind::properties) return read_property(name, tag.attribute("m:val"));
    properties_ = {.character = default_character(name)};
    if (element.kind == ElementKind::accented) open(element, mark::over);
  }

  void read_property(std::string_view name, std::optional<std::string_view> value) {
    const std::string_view written = value.value_or("");
    if (name == "m:begchr") properties_.begin = written;
    if (name == "m:endchr") properties_.end = written;
    if (name == "m:chr") properties_.character = written;
    if (name == "m:deghide")
      properties_.hides_degree = written != "0" && written != "off" && written != "false";
    if (name == "m:pos" && written == "top" && properties_.character == drawn::line_below) {
      properties_.character = drawn::line_above;
    }
    if (name == "m:type" && lower_case(written) == "nobar" && properties_.fraction > 0) {
      result_.text[properties_.fraction - 1] = mark::binomial;
    }
  }

  // class="mjx-c32" is a 2.
  void put_glyph(std::string_view classes) {
    constexpr std::string_view prefix = "mjx-c";
    const std::size_t at = classes.find(prefix);
    if (at == std::string_view::npos) return;
    const std::string_view name = classes.substr(at + prefix.size());
    put_text("&#x" + std::string(name.substr(0, name.find(' '))) + ";");
  }

  // What an element that can be seen begins with.
  void begin(const HtmlToken& tag, Element& element) {
    const std::string_view classes = tag.attribute("class").value_or("");
    constexpr std::array<std::string_view, 2> sources = {"data-latex", "data-tex"};  // of what is hidden, too
    const bool may_read = may_hold_formula(tag);
    if (may_read && read_formula(tag, sources, classes, element)) return;
    const Style style = style_of(tag);
    element.hides = is_hidden(tag, classes, style, element.kind);
    if (!style.hidden() && !tag.attribute("hidden")) begin_formula(tag, classes, element.kind);
    if (element.hides) return;
    constexpr std::array<std::string_view, 6> others = {"data-formula", "data-math", "data-mathml",
                                                        "data-mml",     "latex",     "data-value"};
    if (may_read && read_formula(tag, others, classes, element)) return;
    if (!is_in_mathjye() && has_class(classes, "MathJye")) in_mathjye_ = elements_.size() + 1;
    const bool is_symbols = style.symbol_font || is_symbol_font(tag.attribute("face").value_or(""));
    if (in_symbol_font_ == 0 && is_symbols) in_symbol_font_ = elements_.size() + 1;
    const bool is_text = element.kind == ElementKind::inline_text ||
                         element.kind == ElementKind::underlined || element.kind == ElementKind::struck;
    if (is_text && (style.raised || style.lowered)) open(element, style.raised ? mark::raise : mark::lower);
    element.drawn = style.drawn;
    if (element.kind == ElementKind::inline_text && style.line_above && !is_in_mathjye()) {
      element.drawn = drawn::line_above;
    }
    if (element.kind == ElementKind::inline_text && element.drawn.empty() && !is_in_mathjye())
      element.drawn = style.line_below ? drawn::line_below : drawn_by_class(classes);
    begin_kind(tag, classes, style, element);
  }

  // Sites mark words by classes such as mathjye-underpoint and under-line.
  static std::string_view drawn_by_class(std::string_view classes) {
    const auto has = [classes](std::string_view word) {
      return classes.find(word) != std::string_view::npos;
    };
    if (has("underpoint") || has("under-point")) return drawn::dots;
    return has("underline") || has("under-line") ? drawn::line_below : std::string_view();
  }

  static Style style_of(const HtmlToken& tag) {
    const std::string_view style = tag.attribute("style").value_or("");
    const bool has_references = style.find('&') != std::string_view::npos;
    return has_references ? read_style(decoded(style)) : read_style(style);
  }

  bool is_hidden(const HtmlToken& tag, std::string_view classes, const Style& style, ElementKind kind) const {
    if (style.hidden() || kind == ElementKind::skipped || tag.attribute("hidden")) return true;
    const bool is_image = kind == ElementKind::image;
    if (!is_image && tag.attribute("aria-hidden").value_or("") == "true") return true;
    // A block without size is there against gaps between what it holds, which has sizes of its own.
    if (style.zero_size && kind == ElementKind::inline_text && !is_in_mathjye()) return true;
    if (classes.empty()) return false;
    return has_class(classes, "MathJax_Preview") || (has_scripts_ && is_of_mathjax(classes));
  }

  // The drawing of a formula by KaTeX or MathJax.
  void begin_formula(const HtmlToken& tag, std::string_view classes, ElementKind kind) {
    if (formula_.depth > 0 || tag.self_closing) return;
    const bool is_mathjax = is_of_mathjax(classes);
    const bool is_container = kind == ElementKind::math && lower_case(tag.text) == "mjx-container";
    if (!is_mathjax && !is_container && !has_class(classes, "katex")) return;
    formula_ = {elements_.size() + 1, tokens_.position(), result_.text.size(), is_mathjax && has_scripts_};
  }

  // Does it show a formula of MathJax, whose source stands in a script?
  static bool is_of_mathjax(std::string_view classes) {
    constexpr std::array<std::string_view, 6> rendered = {
        "MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_CHTML", "MathJax_SVG_Display", "mjx-chtml"};
    constexpr auto absent = std::string_view::npos;
    if (classes.find("MathJax") == absent && classes.find("mjx-chtml") == absent) return false;
    return std::ranges::any_of(rendered, [classes](auto name) { return has_class(classes, name); });
  }

  [[nodiscard]] bool is_in_mathjye() const { return in_mathjye_ > 0; }

  // Does it have an attribute with such a name?
  static bool may_hold_formula(const HtmlToken& tag) {
    static constexpr ByteSet first_letters("dDlL");
    return std::ranges::any_of(tag.attributes, [](const HtmlAttribute& attribute) {
      return attribute.name.size() >= std::string_view("latex").size() &&
             first_letters.has(attribute.name[0]);
    });
  }

  // A formula that an attribute holds stands for the element.
  bool read_formula(const HtmlToken& tag, std::span<const std::string_view> names, std::string_view classes,
                    Element& element) {
    for (const std::string_view name : names) {
      const std::optional<std::string_view> value = tag.attribute(name);
      if (!value || value->empty()) continue;
      if (name == "data-value" && !tag.attribute("data-w-e-type") && !shows_formula(classes, "")) continue;
      if (!put_written(decoded(*value))) continue;
      element.hides = true;
      return true;
    }
    return false;
  }

  // LaTeX or MathML; not what an attribute says about an element.
  bool put_written(const std::string& formula) {
    constexpr std::array<std::string_view, 6> words = {"true",  "false",   "inline",
                                                       "block", "display", "mathml"};
    if (is_mathml(formula)) return put_mathml(formula);
    if (std::ranges::count(words, formula) > 0) return false;
    put_formula(formula);
    return true;
  }

  // MathML, perhaps with the signs that WIRIS writes for those of tags.
  bool put_mathml(std::string_view written) {
    if (is_inner_) return false;
    const std::string page = of_wiris(written);
    MarkedText formula = HtmlReader(page, draws_, true).read();
    if (!formula.figures.empty()) return false;
    result_.text += formula.text;
    result_.unknown.merge(formula.unknown);
    return true;
  }

  static std::string of_wiris(std::string_view written) {
    if (written.find("«") == std::string_view::npos) return std::string(written);
    constexpr std::array<std::pair<std::string_view, char>, 4> signs = {
        {{"«", '<'}, {"»", '>'}, {"¨", '"'}, {"§", '&'}}};
    std::string page;
    for (std::size_t at = 0; at < written.size();) {
      const auto* const sign =
          std::ranges::find(signs, written.substr(at, 2), &std::pair<std::string_view, char>::first);
      page += sign == signs.end() ? written[at] : sign->second;
      at += sign == signs.end() ? 1 : 2;
    }
    return page;
  }

  void open(Element& element, char mark) {
    put(mark);
    ++element.closes;
  }

  void begin_kind(const HtmlToken& tag, std::string_view classes, const Style& style, Element& element) {
    switch (element.kind) {
      case ElementKind::block:
      case ElementKind::paragraph:
      case ElementKind::item:
      case ElementKind::line_break:
        put(mark::line_break);
        break;
      case ElementKind::raised:
        open(element, mark::raise);
        break;
      case ElementKind::lowered:
        open(element, mark::lower);
        break;
      case ElementKind::underlined:
        element.drawn = drawn::line_below;
        break;
      case ElementKind::struck:
        element.drawn = drawn::line_through;
        break;
      case ElementKind::enclosed:
        begin_enclosed(tag.attribute("notation").value_or(""), element);
        break;
      case ElementKind::image:
        add_image(tag, classes);
        break;
      case ElementKind::figure:
        add_figure(figure_at(address_of(tag)));
        element.hides = true;
        break;
      case ElementKind::table:
        begin_table(element);
        break;
      case ElementKind::row:
        begin_row(element);
        break;
      case ElementKind::cell:
        begin_cell(style, element);
        break;
      case ElementKind::math:
        if (in_math_ == 0) in_math_ = elements_.size() + 1;
        break;
      case ElementKind::fraction:
        open(element,
             is_zero_length(tag.attribute("linethickness").value_or("")) ? mark::binomial : mark::fraction);
        properties_ = {.fraction = result_.text.size()};
        break;
      case ElementKind::over:
        open(element, mark::over);
        break;
      case ElementKind::root:
        open(element, mark::root);
        break;
      case ElementKind::nth_root:
        open(element, mark::nth_root);
        break;
      case ElementKind::fenced:
        put_text(tag.attribute("open").value_or("("));
        element.ending = tag.attribute("close").value_or(")");
        break;
      default:
        break;
    }
  }

  void begin_enclosed(std::string_view notation, Element& element) {
    const auto has = [notation](std::string_view word) {
      return notation.find(word) != std::string_view::npos;
    };
    if (has("radical")) return open(element, mark::root);
    element.drawn = drawn::line_above;
    if (has("strike")) element.drawn = drawn::line_through;
    if (has("box") || has("circle")) element.drawn = drawn::box;
    if (has("bottom")) element.drawn = drawn::line_below;
  }

  static std::string address_of(const HtmlToken& tag) {
    std::string address;
    // A picture that is loaded late has another one in its place.
    for (const std::string_view name : {"data-src", "data-original", "src", "data"}) {
      if (address.empty()) address = decoded(tag.attribute(name).value_or(""));
    }
    return address;
  }

  void add_image(const HtmlToken& tag, std::string_view classes) {
    const std::string address = address_of(tag);
    if (const std::optional<std::string> latex = latex_of(address)) return put_formula(*latex);
    if (const auto mathml = mathml_of(address); mathml && put_mathml(*mathml)) return;
    Figure figure = figure_at(address);
    figure.in_place = shows_formula(classes, address);
    add_figure(std::move(figure));
  }

  void add_figure(Figure figure) {
    result_.text += mark::figure;
    result_.text += std::to_string(result_.figures.size());
    result_.text += mark::close;
    result_.figures.push_back(std::move(figure));
  }

  void begin_table(Element& element) {
    const bool is_matrix = in_math_ > 0;
    const bool is_marked = draws_ && !is_in_mathjye() && !is_matrix;
    if (!tables_.empty()) tables_.back().cell = std::string::npos;
    tables_.push_back({.begin = result_.text.size(), .is_marked = is_marked, .is_matrix = is_matrix});
    put(mark::line_break);
    open_part(element, mark::table);
  }

  void open_part(Element& element, char mark) {
    if (!tables_.empty() && tables_.back().is_marked) open(element, mark);
  }

  void begin_row(Element& element) {
    if (!tables_.empty()) {
      Table& table = tables_.back();
      if (++table.rows > 1) put_border(table.is_matrix ? mark::row_border : mark::cell_border);
      if (table.rows == 2) table.second_row = result_.text.size();
      table.cells = 0;
    }
    put(mark::line_break);
    open_part(element, mark::row);
  }

  void begin_cell(const Style& style, Element& element) {
    if (!tables_.empty()) {
      Table& table = tables_.back();
      table.one_column &= ++table.cells == 1;
      table.has_line |= table.rows == 1 ? style.line_below : table.rows == 2 && style.line_above;
    }
    if (style.line_above && is_in_mathjye() && ends_with_root()) {
      return open(element, draws_ ? mark::root : mark::group);
    }
    if (!tables_.empty() && tables_.back().cells > 1) put_border(mark::cell_border);
    put(mark::gap);
    open_part(element, mark::cell);
    if (!tables_.empty() && !tables_.back().is_matrix) tables_.back().cell = result_.text.size();
  }

  void put_border(std::string_view border) {
    if (hidden_ == 0 && !draws_ && !is_in_mathjye()) result_.text += border;
  }

  void erase_border(std::size_t end) {
    const std::string_view before = std::string_view(result_.text).substr(0, end);
    for (const std::string_view border : {mark::cell_border, mark::row_border}) {
      if (before.ends_with(border))
        result_.text.replace(end - border.size(), border.size(), border.size(), mark::erased);
    }
  }

  // Where a cell is empty matters as much as where a blank stands.
  void end_cell() {
    if (!draws_ && !is_in_mathjye() && !tables_.empty() && is_blank_from(tables_.back().cell)) {
      result_.text.replace(tables_.back().cell, std::string::npos, empty_cell);
    }
    put(mark::gap);
  }

  [[nodiscard]] bool is_blank_from(std::size_t begin) const {
    if (begin > result_.text.size()) return false;
    constexpr std::string_view spaces[] = {"\u00A0", "\u3000"};
    for (std::string_view rest = std::string_view(result_.text).substr(begin); !rest.empty();) {
      const auto* const space =
          std::ranges::find_if(spaces, [rest](auto candidate) { return rest.starts_with(candidate); });
      const bool is_space = space != std::end(spaces);
      if (!is_space && static_cast<unsigned char>(rest[0]) > ' ') return false;
      rest.remove_prefix(is_space ? space->size() : 1);
    }
    return true;
  }

  // Does a root glyph stand before? Takes away the white space behind it, and the glyph if a mark says it.
  bool ends_with_root() {
    constexpr std::string_view glyph = "√";
    const std::size_t last = result_.text.find_last_not_of(" \n");
    if (last == std::string::npos) return false;
    const bool found = std::string_view(result_.text).substr(0, last + 1).ends_with(glyph);
    if (found) result_.text.resize(last + 1 - (draws_ ? glyph.size() : 0));
    return found;
  }

  void end(const HtmlToken& tag) {
    const std::uint64_t name = ElementStack::name_of(tag.text, tag.element);
    if (!elements_.has(name)) return end_of_nothing(tag);
    bool ended = false;
    while (!ended) {
      ended = elements_.top().name == name;
      end_element();
    }
  }

  void end_of_nothing(const HtmlToken& tag) {
    const ElementKind kind = tag.element.kind;
    if (kind == ElementKind::paragraph || kind == ElementKind::line_break) put(mark::line_break);
  }

  void end_element() {
    if (in_mathjye_ == elements_.size()) in_mathjye_ = 0;
    if (in_math_ == elements_.size()) in_math_ = 0;
    if (in_symbol_font_ == elements_.size()) in_symbol_font_ = 0;
    const bool ends_formula = formula_.depth == elements_.size();
    const Element element = elements_.pop();
    if (element.hides) {
      --hidden_;
      script_.clear();
    }
    if (ends_formula) end_formula();
    if (hidden_ > 0) return;
    if (!element.hides) end_kind(element);
    for (unsigned i = 0; i < element.closes; ++i) put(mark::close);
    if (!element.hides) put_end(element.kind);
  }

  // A formula of which nothing was read, because the page holds only its drawing, becomes a picture known by
  // that.
  void end_formula() {
    const DrawnFormula formula = std::exchange(formula_, {});
    if (token_begin_ <= formula.page_begin || !is_blank_from(formula.text_begin)) return;
    const std::string_view source = page_.substr(formula.page_begin, token_begin_ - formula.page_begin);
    if (source.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    if (!formula.has_script) return put_picture(source);
    put_picture(std::exchange(lost_, source));
  }

  void put_picture(std::string_view source) {
    if (source.empty()) return;
    Figure picture = figure_at("data:," + std::string(source));
    picture.in_place = true;
    add_figure(std::move(picture));
  }

  void end_kind(const Element& element) {
    if (element.kind == ElementKind::accented) put(mark::next);
    put_text(element.ending);
    if (!element.drawn.empty() && ends_visibly()) result_.text += element.drawn;
    const bool has_next = element.kind == ElementKind::fraction || element.kind == ElementKind::over ||
                          element.kind == ElementKind::nth_root;
    if (has_next && element.children < 2) put(mark::next);
    properties_.fraction = 0;
  }

  [[nodiscard]] bool ends_visibly() const {
    return !result_.text.empty() && static_cast<unsigned char>(result_.text.back()) > ' ';
  }

  void put_end(ElementKind kind) {
    if (kind == ElementKind::table) return end_table();
    if (needs_break(kind) && kind != ElementKind::line_break) put(mark::line_break);
    if (kind == ElementKind::cell) end_cell();
  }

  void end_table() {
    const Table table = tables_.back();
    tables_.pop_back();
    if (table.rows == 2 && table.one_column && table.has_line) {
      result_.text[table.begin] = mark::fraction;
      result_.text[table.second_row] = mark::next;
      erase_border(table.second_row);
      if (!table.is_marked) return put(mark::close);
      result_.text[table.begin + 1] = mark::erased;  // what ends the table ends the fraction
    } else {
      put(mark::line_break);
    }
  }

  // What scripts with the source of a formula have as their type.
  static constexpr std::string_view script_type_begin = "math/";
  static constexpr std::array<std::string_view, 2> script_types = {"math/tex", "math/mml"};

  static bool may_hold_scripts(std::string_view page) {
    const std::size_t begin = page.find(script_type_begin);
    if (begin == std::string_view::npos) return false;
    return std::ranges::any_of(script_types,
                               [&](auto type) { return page.find(type, begin) != std::string_view::npos; });
  }

  struct DrawnFormula {
    std::size_t depth = 0;  // of its element, 0 for none
    std::size_t page_begin = 0;
    std::size_t text_begin = 0;
    bool has_script = false;  // which should follow
  };

  std::string_view page_;
  HtmlTokenizer tokens_;
  std::size_t token_begin_ = 0;
  bool draws_;
  bool is_inner_;     // what an attribute holds is read
  bool has_scripts_;  // that hold the LaTeX of what MathJax shows
  MarkedText result_;
  ElementStack elements_;
  std::vector<Table> tables_;                    // of those that are open
  std::size_t hidden_ = 0;                       // elements that hide, of those that are open
  std::size_t in_mathjye_ = 0;                   // how deep the formula stands, 0 outside
  std::size_t in_math_ = 0;                      // the same of one in MathML or of Word
  std::size_t in_symbol_font_ = 0;               // the same of an element in that font
  std::optional<std::size_t> last_picture_end_;  // where the last picture beside such a formula ends
  bool has_hidden_formula_ = false;  // one was read from a comment, and its picture has not come yet
  DrawnFormula formula_;
  std::string_view lost_;  // the drawing of the last formula, as long as no script has followed
  Properties properties_;  // that were read last
  std::string script_;     // the element whose content is LaTeX
};

}  // namespace

MarkedText read_html(std::string_view page, bool draws) {
  constexpr ByteSet html("<&");
  if (html.find_in(page) < page.size()) return HtmlReader(page, draws).read();
  MarkedText marked;  // without a tag or a reference there is nothing to read
  marked.text = page;
  std::ranges::replace_if(marked.text, mark::is_control, ' ');
  return marked;
}

}  // namespace qdedup::markup
