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
#include "markup/html_attributes.h"
#include "markup/html_tables.h"
#include "markup/html_tokenizer.h"
#include "markup/marks.h"
#include "markup/math_elements.h"
#include "markup/style.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

bool needs_break(ElementKind kind) {
  return kind == ElementKind::block || kind == ElementKind::paragraph || kind == ElementKind::item ||
         kind == ElementKind::line_break;
}

bool is_without_content(ElementKind kind) {
  return kind == ElementKind::empty || kind == ElementKind::field || kind == ElementKind::space ||
         kind == ElementKind::line_break || kind == ElementKind::image;
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
  HtmlReader(const HtmlReader&) = delete;
  HtmlReader& operator=(const HtmlReader&) = delete;

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
    if (in_script_) {
      if (hidden_ == 1) put_script(token.text);
      return;
    }
    if (hidden_ > 0 || has_no_size_) return;
    const bool references = token.has_references && token.text.find('&') != std::string_view::npos;
    const std::size_t begin = result_.text.size();
    if (references) {
      append_decoded(result_.text, token.text);
      result_.has_markup |= result_.text.size() - begin != token.text.size();
    } else {
      result_.text += token.text;
    }
    mark::remove_controls(result_.text, begin);
    if (in_symbol_font_ > 0) shift_symbols(begin);
    shown_end_ = result_.text.size();
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

  void put(char mark) {
    if (hidden_ == 0) result_.text += mark;
  }

  void put_formula(std::string_view latex) {
    result_.text += mark::formula;
    const std::size_t begin = result_.text.size();
    result_.text += latex;
    mark::remove_controls(result_.text, begin);
    result_.text += mark::close;
    shown_end_ = result_.text.size();
  }

  // The source of what stands before it.
  void put_script(std::string_view source) {
    lost_ = {};
    if (is_ascii_math_) return put_picture(source);
    if (!is_mathml(source) || !put_mathml(source)) put_formula(source);
  }

  void start(const HtmlToken& tag) {
    Element element;
    element.name = ElementStack::name_of(tag.text, tag.element);
    const std::string name = in_lower_case(tag.text);
    element.kind = tag.element.kind;
    end_implied(element.kind);
    element.is_in_no_size = has_no_size_;
    if (hidden_ == 0) {
      if (element.kind == ElementKind::unknown) note_unknown(name, element);
      if (!elements_.empty()) math_.begin_child(name, element.kind, elements_.top());
      begin(tag, element);
      if (element.kind > ElementKind::math) math_.begin_of_word(tag, name, element);
    }
    const bool has_content = !is_without_content(element.kind) && !tag.self_closing;
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
    if (std::ranges::any_of(script_types, is_type)) in_script_ = true;
    is_ascii_math_ = is_type("math/asciimath");
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

  // What an element that can be seen begins with.
  void begin(const HtmlToken& tag, Element& element) {
    element.begin = result_.text.size();
    const std::string_view classes = tag.attribute("class").value_or("");
    constexpr std::array<std::string_view, 2> sources = {"data-latex", "data-tex"};  // of what is hidden, too
    const bool may_read = may_hold_formula(tag);
    if (may_read && read_formula(tag, sources, classes, element)) return;
    const Style style = style_of(tag);
    element.hides = is_hidden(tag, classes, style, element.kind);
    if (!style.hidden() && !tag.attribute("hidden")) begin_formula(tag, classes, element.kind);
    if (element.hides) return;
    // A block without size is there against gaps between what it holds, which has sizes of its own.
    const bool may_lack_size = element.kind == ElementKind::inline_text && !is_in_mathjye();
    has_no_size_ = style.zero_size ? has_no_size_ || may_lack_size : has_no_size_ && !style.has_size;
    constexpr std::array<std::string_view, 6> others = {"data-formula", "data-math", "data-mathml",
                                                        "data-mml",     "latex",     "data-value"};
    if (may_read && read_formula(tag, others, classes, element)) return;
    if (!is_in_mathjye() && has_class(classes, "MathJye")) in_mathjye_ = elements_.size() + 1;
    const bool is_symbols = style.symbol_font || is_symbol_font(tag.attribute("face").value_or(""));
    if (in_symbol_font_ == 0 && is_symbols) in_symbol_font_ = elements_.size() + 1;
    const bool is_text = element.kind == ElementKind::inline_text ||
                         element.kind == ElementKind::underlined || element.kind == ElementKind::struck;
    const bool is_raised = style.raised || (style.small_at_top && is_script());
    if (is_text && (is_raised || style.lowered))
      element.open(result_.text, is_raised ? mark::raise : mark::lower);
    element.drawn = style.drawn;
    if (element.kind == ElementKind::inline_text && style.line_above && !is_in_mathjye()) {
      element.drawn = drawn::line_above;
    }
    if (element.kind == ElementKind::inline_text && element.drawn.empty() && !is_in_mathjye())
      element.drawn = style.line_below ? drawn::line_below : drawn_by_class(classes);
    Figure background = figure_at(background_of(tag));
    if (background.kind != Figure::Kind::unnamed) add_figure(std::move(background));
    begin_kind(tag, classes, style, element);
  }

  bool is_hidden(const HtmlToken& tag, std::string_view classes, const Style& style, ElementKind kind) const {
    if (style.hidden() || kind == ElementKind::skipped || tag.attribute("hidden")) return true;
    const bool is_image = kind == ElementKind::image;
    if (!is_image && tag.attribute("aria-hidden").value_or("") == "true") return true;
    if (classes.empty()) return false;
    return has_class(classes, "MathJax_Preview") || (has_scripts_ && is_of_mathjax(classes));
  }

  // Is what the tag before begins so short, and behind something, that it may be an exponent?
  [[nodiscard]] bool is_script() const {
    constexpr std::size_t longest = 12;
    const bool is_behind_something = ends_visibly() || result_.text.ends_with(mark::close);
    return is_behind_something &&
           page_.substr(tokens_.position(), longest).find("</") != std::string_view::npos;
  }

  // The drawing of a formula by KaTeX or MathJax.
  void begin_formula(const HtmlToken& tag, std::string_view classes, ElementKind kind) {
    if (formula_.depth > 0 || tag.self_closing) return;
    const bool is_mathjax = is_of_mathjax(classes);
    const bool is_container = kind == ElementKind::math && in_lower_case(tag.text) == "mjx-container";
    if (!is_mathjax && !is_container && !has_class(classes, "katex")) return;
    formula_ = {elements_.size() + 1, tokens_.position(), result_.text.size(), is_mathjax && has_scripts_};
  }

  [[nodiscard]] bool is_in_mathjye() const { return in_mathjye_ > 0; }

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
    shown_end_ = result_.text.size();
    for (const auto& [name, count] : formula.unknown) result_.unknown[name] += count;
    return true;
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
        element.open(result_.text, mark::raise);
        break;
      case ElementKind::lowered:
        element.open(result_.text, mark::lower);
        break;
      case ElementKind::underlined:
        element.drawn = drawn::line_below;
        break;
      case ElementKind::struck:
        element.drawn = drawn::line_through;
        break;
      case ElementKind::image:
        add_image(tag, classes);
        break;
      case ElementKind::figure:
        // What draws a formula is a part of it.
        if (formula_.depth == 0) add_figure(figure_at(address_of(tag)));
        element.hides = true;
        break;
      case ElementKind::field:
        begin_field(tag, classes);
        break;
      case ElementKind::phantom:
        element.hides = true;
        [[fallthrough]];
      case ElementKind::space:
        put(mark::gap);
        break;
      case ElementKind::table:
        tables_.begin_table(element, in_math_ > 0, is_in_mathjye());
        break;
      case ElementKind::row:
        tables_.begin_row(element, is_in_mathjye());
        break;
      case ElementKind::cell:
        tables_.begin_cell(style, element, is_in_mathjye());
        break;
      case ElementKind::math:
        if (in_math_ == 0) in_math_ = elements_.size() + 1;
        break;
      default:
        math_.begin(tag, element);
    }
  }

  void begin_field(const HtmlToken& tag, std::string_view classes) {
    if (in_lower_case(tag.attribute("type").value_or("")) == "image") return add_image(tag, classes);
    put(mark::gap);
    if (const auto value = filled_in(tag)) {
      append_value(result_.text, value->empty() ? mark::blank : *value);
      shown_end_ = result_.text.size();
    }
    put(mark::gap);
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
    shown_end_ = result_.text.size();
    result_.figures.push_back(std::move(figure));
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
      in_script_ = false;
    }
    const bool is_unseen =
        std::exchange(has_no_size_, element.is_in_no_size) && !has_no_size_ && shown_end_ <= element.begin;
    if (ends_formula) end_formula();
    if (hidden_ == 0 && is_unseen) return result_.text.resize(std::min(element.begin, result_.text.size()));
    if (hidden_ == 0) end_visible(element);
  }

  void end_visible(const Element& element) {
    if (!element.hides) end_kind(element);
    for (unsigned i = 0; i < element.closes; ++i) put(mark::close);
    if (!element.hides) put_end(element.kind);
  }

  // A formula of which nothing was read, because the page holds only its drawing, becomes a picture known by
  // that.
  void end_formula() {
    const DrawnFormula formula = std::exchange(formula_, {});
    const std::size_t begin = formula.text_begin;
    if (token_begin_ <= formula.page_begin || begin > result_.text.size()) return;
    if (!shows_nothing(std::string_view(result_.text).substr(begin))) return;
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
    append_value(result_.text, element.ending);
    if (!element.drawn.empty()) draw_on(element);
    math_.end(element);
  }

  // A line below white space is a blank, but for that of one space between words.
  void draw_on(const Element& element) {
    constexpr std::size_t longest = 1024;
    const std::string_view content =
        std::string_view(result_.text).substr(std::min(element.begin, result_.text.size()));
    if (content.size() > longest || !shows_nothing(content)) {
      if (ends_visibly()) result_.text += element.drawn;
    } else if (element.drawn == drawn::line_below && content.size() > 1) {
      result_.text += mark::blank;
    }
  }

  [[nodiscard]] bool ends_visibly() const {
    return !result_.text.empty() && static_cast<unsigned char>(result_.text.back()) > ' ';
  }

  void put_end(ElementKind kind) {
    if (kind == ElementKind::table) return tables_.end_table();
    if (needs_break(kind) && kind != ElementKind::line_break) put(mark::line_break);
    if (kind == ElementKind::cell) tables_.end_cell(is_in_mathjye());
  }

  // What scripts with the source of a formula have as their type.
  static constexpr std::string_view script_type_begin = "math/";
  static constexpr std::array<std::string_view, 3> script_types = {"math/tex", "math/mml", "math/asciimath"};

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
  HtmlTables tables_{result_.text, draws_};
  MathElements math_{result_.text};
  std::size_t hidden_ = 0;                       // elements that hide, of those that are open
  std::size_t shown_end_ = 0;                    // where the last text, formula or figure ends
  std::size_t in_mathjye_ = 0;                   // how deep the formula stands, 0 outside
  std::size_t in_math_ = 0;                      // the same of one in MathML or of Word
  std::size_t in_symbol_font_ = 0;               // the same of an element in that font
  std::optional<std::size_t> last_picture_end_;  // where the last picture beside such a formula ends
  bool has_hidden_formula_ = false;  // one was read from a comment, and its picture has not come yet
  bool has_no_size_ = false;         // the text that comes next
  DrawnFormula formula_;
  std::string_view lost_;       // the drawing of the last formula, as long as no script has followed
  bool in_script_ = false;      // in an element whose content is a formula,
  bool is_ascii_math_ = false;  // in a language that is not read
};

}  // namespace

MarkedText read_html(std::string_view page, bool draws) {
  constexpr ByteSet html("<&");
  if (html.find_in(page) < page.size()) return HtmlReader(page, draws).read();
  MarkedText marked;  // without a tag or a reference there is nothing to read
  marked.text = page;
  mark::remove_controls(marked.text, 0);
  return marked;
}

}  // namespace qdedup::markup
