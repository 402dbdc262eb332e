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
#include "markup/html_boxes.h"
#include "markup/html_formulas.h"
#include "markup/html_lines.h"
#include "markup/html_tables.h"
#include "markup/html_tokenizer.h"
#include "markup/marks.h"
#include "markup/math_elements.h"
#include "markup/style.h"
#include "markup/visible_text.h"
#include "refine/normalise.h"
#include "refine/subjects.h"

namespace qdedup::markup {
namespace {

bool needs_break(ElementKind kind) {
  return kind == ElementKind::block || kind == ElementKind::paragraph || kind == ElementKind::item ||
         kind == ElementKind::rule;
}

bool is_without_content(ElementKind kind) {
  return kind == ElementKind::empty || kind == ElementKind::field || kind == ElementKind::space ||
         kind == ElementKind::line_break || kind == ElementKind::rule || kind == ElementKind::image;
}

class HtmlReader {
 public:
  HtmlReader(std::string_view page, bool draws, bool is_inner = false)
      : page_(page),
        tokens_(page, HtmlTokenizer::Reading::caution),
        draws_(draws),
        has_scripts_(may_hold_scripts(page)),
        formulas_(result_, draws, is_inner) {
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
    formulas_.put_picture(lost_);
    if (const std::string tags = tags_asked_about(); !tags.empty())
      result_.text += place_of({Figure::Kind::file, tags});
    return std::move(result_);
  }

 private:
  // May the page ask about tags that nobody escaped?
  [[nodiscard]] bool asks_about_tags() const {
    const auto names = [this](std::string_view words) { return page_.find(words) < page_.size(); };
    const auto is_beside_tag = [&names](const std::string& word) {
      return names(word + "<") || names(">" + word);
    };
    return is_beside_tag("标签") || is_beside_tag("标记") ||
           (names("HTML") && (names("标签") || names("标记")));
  }

  [[nodiscard]] std::string tags_asked_about() const {
    std::string tags;
    if (draws_ || !asks_about_tags()) return tags;
    HtmlTokenizer tokens(page_, HtmlTokenizer::Reading::caution);
    std::size_t begin = 0;
    for (HtmlToken token; tokens.next(token); begin = tokens.position()) {
      if (token.kind == HtmlToken::Kind::start_tag) tags += page_.substr(begin, tokens.position() - begin);
      if (token.kind == HtmlToken::Kind::end_tag) tags += "</" + in_lower_case(token.text) + ">";
    }
    return tags;
  }

  void take(const HtmlToken& token) {
    if (token.kind == HtmlToken::Kind::text) return take_text(token);
    result_.has_markup = true;
    if (token.kind == HtmlToken::Kind::start_tag) start(token);
    if (token.kind == HtmlToken::Kind::end_tag) end(token);
    if (token.kind == HtmlToken::Kind::comment && hidden_ == 0) take_comment(token.text);
  }

  // Word hides formulas from browsers in comments, and shows them pictures instead, but of its fields
  // nothing.
  void take_comment(std::string_view text) {
    if (text.starts_with("[if supportFields]")) return formulas_.put_field(text);
    const std::size_t formula = text.find("<m:oMath");
    if (formula != std::string_view::npos) {
      has_hidden_formula_ = formulas_.put_mathml(text.substr(formula, text.rfind("<![endif]") - formula));
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
    if (hidden_ > 0 || unseen_.holds()) return;
    const bool references = token.has_references && token.text.find('&') != std::string_view::npos;
    boxes_.join_number(token.text);
    const std::size_t begin = result_.text.size();
    if (references) {
      append_decoded(result_.text, token.text);
      result_.has_markup |= result_.text.size() - begin != token.text.size();
    } else {
      result_.text += token.text;
    }
    mark::remove_controls(result_.text, begin);
    math_shows_ = math_shows_ || !shows_nothing(std::string_view(result_.text).substr(begin));
    if (in_symbol_font_ > 0) shift_symbols(result_.text, begin);
    if (in_pre_ > 0) keep_indentation(result_.text, begin);
    formulas_.note_shown();
  }

  void put(char mark) {
    if (hidden_ == 0) result_.text += mark;
  }

  // The source of what stands before it.
  void put_script(std::string_view source) {
    lost_ = {};
    if (is_ascii_math_) return formulas_.put_picture(source);
    if (!is_mathml(source) || !formulas_.put_mathml(source)) formulas_.put_latex(source);
  }

  void start(const HtmlToken& tag) {
    Element element;
    element.name = ElementStack::name_of(tag.text, tag.element);
    const std::string name = in_lower_case(tag.text);
    element.kind = tag.element.kind;
    end_implied(element.kind);
    element.unseen_around = unseen_;
    element.lines = lines_around();
    if (name == "source") add_source(tag);
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

  void add_source(const HtmlToken& tag) {
    const bool is_in_figure = hidden_ == 1 && elements_.top().kind == ElementKind::figure;
    if (hidden_ == 0 || is_in_figure) formulas_.add_source(tag, is_in_figure);
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
    if (needs_break(kind)) depth = elements_.depth_of(ElementKind::paragraph, ElementKind::cell);
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
    formula_.is_unread |= name.starts_with("mjx-");
    const bool is_of_layout = name.starts_with("w:") || name.starts_with("o:");
    if (in_math_ == 0 || is_of_layout) return;
    result_.text += "∖" + name + " ";
    element.kind = ElementKind::lines;
  }

  // What an element that can be seen begins with.
  void begin(const HtmlToken& tag, Element& element) {
    element.begin = result_.text.size();
    if (is_only_source(tag)) {
      element.kind = ElementKind::inline_text;
      return element.open(result_.text, mark::formula);
    }
    const std::string_view classes = tag.attribute("class").value_or("");
    const bool may_read = may_hold_formula(tag);
    const std::string_view behind = page_.substr(tokens_.position());
    if (may_read && formulas_.put_attribute(tag, behind, true)) {
      element.hides = true;
      return;
    }
    Style style = style_of(tag);
    element.hides = is_hidden(tag, classes, style) || (has_scripts_ && is_of_mathjax(classes));
    if (!style.hidden() && !tag.attribute("hidden")) begin_formula(tag, classes, element.kind);
    element.hides |= is_of_drawing(tag, classes);
    if (element.hides) return;
    // A block without size is there against gaps between what it holds, which has sizes of its own.
    const bool may_lack_size = element.kind == ElementKind::inline_text && !is_in_mathjye();
    unseen_.by_size = style.zero_size ? unseen_.by_size || may_lack_size : unseen_.by_size && !style.has_size;
    unseen_.by_color = style.colorless || (unseen_.by_color && !style.has_color);
    if (may_read && formulas_.put_attribute(tag, behind, false)) {
      element.hides = true;
      return;
    }
    begin_look(tag, classes, style, element);
    Figure background = figure_at(background_of(tag));
    if (background.kind != Figure::Kind::unnamed) formulas_.add_figure(std::move(background));
    if (const std::string unwritten = unwritten_in(tag); !unwritten.empty() && !draws_ && !is_in_mathjye())
      result_.text += place_of({Figure::Kind::file, unwritten});
    begin_kind(tag, classes, style, element);
    lines_.begin(element);
  }

  // Where and how it is shown.
  void begin_look(const HtmlToken& tag, std::string_view classes, Style& style, Element& element) {
    if (!is_in_mathjye() && has_class(classes, "MathJye")) in_mathjye_ = elements_.size() + 1;
    const bool is_symbols = style.symbol_font || is_symbol_font(tag.attribute("face").value_or(""));
    if (in_symbol_font_ == 0 && is_symbols) in_symbol_font_ = elements_.size() + 1;
    const std::string name = in_lower_case(tag.text);
    const bool keeps_space = style.keeps_space || name == "pre" || name == "textarea";
    if (in_pre_ == 0 && keeps_space) in_pre_ = elements_.size() + 1;
    const bool is_inline = element.kind == ElementKind::inline_text;
    const bool is_text =
        is_inline || element.kind == ElementKind::underlined || element.kind == ElementKind::struck;
    if (is_text && (style.small_at_top || !classes.empty()) && is_script()) set_as_script(classes, style);
    if (is_text && (style.raised || style.lowered))
      element.open(result_.text, style.raised ? mark::raise : mark::lower);
    const bool is_part_of_text = !is_in_mathjye() && in_math_ == 0;
    Element* const parent = elements_.empty() ? nullptr : &elements_.top();
    if (is_part_of_text) boxes_.begin(style, element, parent);
    if (is_part_of_text && parent != nullptr && element.kind == ElementKind::rule) boxes_.draw_line(*parent);
    const bool is_over_line = (style.is_block || needs_break(element.kind)) && parent != nullptr &&
                              parent->box == Box::lined;  // of a box, not of words
    element.drawn = style.drawn;
    if (is_text && (style.drawn == drawn::line_above || (is_inline && style.line_above)))
      begin_line_above(element);
    const bool may_be_marked = is_inline && element.drawn.empty() && !is_in_mathjye();
    if (may_be_marked && !is_over_line)
      element.drawn = style.line_below ? style.below : drawn_by_class(classes);
    const bool may_be_blank = is_inline || needs_break(element.kind);
    if (may_be_marked && element.drawn.empty() && !draws_ && stands_out(tag, style) && asks_about_type())
      element.drawn = drawn::type;
    const bool is_blank = ((may_be_marked || is_over_line) && style.line_below) ||
                          (may_be_blank && is_to_fill_in(tag, classes, is_inline));
    if (is_blank) {
      element.if_empty = mark::blank;
    } else if (style.box && (is_inline || style.is_inline_block) && !is_in_mathjye()) {
      element.if_empty = drawn::on_nothing(drawn::box);
    }
  }

  // As people read it: "bold" may be a word of its tags.
  [[nodiscard]] bool asks_about_type() {
    if (!subjects_) subjects_.emplace().add(refine::normalise(HtmlReader(page_, true).read().text));
    return subjects_->type;
  }

  // As \overline, or the line of the root whose glyph stands before.
  void begin_line_above(Element& element) {
    element.drawn = {};
    if (tables_.begin_root(element)) return;
    element.has_line_above = true;
    element.open(result_.text, mark::over);
  }

  // Is what the tag before begins so short, and behind something, that it may be an exponent?
  [[nodiscard]] bool is_script() const {
    constexpr std::size_t longest = 12;
    const char before = result_.text.empty() ? ' ' : result_.text.back();
    return (static_cast<unsigned char>(before) > ' ' || before == mark::close) &&
           page_.substr(tokens_.position(), longest).find("</") != std::string_view::npos;
  }

  // The drawing of a formula by KaTeX, MathJax or MathQuill.
  void begin_formula(const HtmlToken& tag, std::string_view classes, ElementKind kind) {
    if (formula_.depth > 0 || tag.self_closing) return;
    const bool is_mathjax = is_of_mathjax(classes);
    const bool is_mathquill = is_of_mathquill(classes);
    const bool is_container = kind == ElementKind::math && in_lower_case(tag.text) == "mjx-container";
    const bool is_katex = has_class(classes, "katex") || has_class(classes, "katex-html");
    if (!is_mathjax && !is_container && !is_katex && !is_mathquill) return;
    formula_ = {elements_.size() + 1, tokens_.position(), result_.text.size(), is_mathjax && has_scripts_,
                is_mathquill};
  }

  // What only draws a formula whose source, if any, stands beside it.
  [[nodiscard]] bool is_of_drawing(const HtmlToken& tag, std::string_view classes) const {
    if (formula_.depth == 0) return false;
    const bool is_child = formula_.depth == elements_.size();
    if (formula_.is_mathquill)
      return is_child && !has_class(classes, "selectable") && !has_class(classes, "mq-selectable");
    return has_class(classes, "katex-html") ||
           (formula_.depth <= elements_.size() && draws_formula(tag, classes));
  }

  // The source of a formula in MathML that shows nothing else.
  [[nodiscard]] bool is_only_source(const HtmlToken& tag) const {
    return in_math_ > 0 && in_lower_case(tag.text) == "annotation" &&
           in_lower_case(tag.attribute("encoding").value_or("")).find("tex") != std::string::npos &&
           !math_shows_;
  }

  [[nodiscard]] bool is_in_mathjye() const { return in_mathjye_ > 0; }

  void begin_kind(const HtmlToken& tag, std::string_view classes, const Style& style, Element& element) {
    switch (element.kind) {
      case ElementKind::block:
      case ElementKind::paragraph:
      case ElementKind::item:
      case ElementKind::line_break:
      case ElementKind::rule:
        put(mark::line_break);
        break;
      case ElementKind::raised:
        element.open(result_.text, mark::raise);
        break;
      case ElementKind::lowered:
        element.open(result_.text, mark::lower);
        break;
      case ElementKind::underlined:
        element.drawn = style.below;
        break;
      case ElementKind::struck:
        element.drawn = drawn::line_through;
        break;
      case ElementKind::image:
        formulas_.add_image(tag, classes);
        break;
      case ElementKind::figure:
        // What draws a formula is a part of it.
        if (formula_.depth == 0) formulas_.add_figure(figure_at(address_of(tag)));
        if (formula_.depth == 0 && in_lower_case(tag.text) == "svg") begin_drawing(tag);
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
        if (in_math_ > 0) break;
        in_math_ = elements_.size() + 1;
        math_shows_ = false;
        break;
      default:
        math_.begin(tag, element);
    }
  }

  void begin_drawing(const HtmlToken& tag) {
    drawing_begin_ = tokens_.position();
    drawing_look_.clear();
    for (const char* name : {"viewbox", "transform", "fill", "stroke", "style"})
      drawing_look_ += "," + std::string(tag.attribute(name).value_or(""));
  }

  void begin_field(const HtmlToken& tag, std::string_view classes) {
    if (in_lower_case(tag.attribute("type").value_or("")) == "image")
      return formulas_.add_image(tag, classes);
    put(mark::gap);
    if (const auto value = filled_in(tag)) {
      append_value(result_.text, value->empty() ? mark::blank : *value);
      formulas_.note_shown();
    }
    put(mark::gap);
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
    if (in_pre_ == elements_.size()) in_pre_ = 0;
    const bool ends_formula = formula_.depth == elements_.size();
    Element element = elements_.pop();
    if (element.hides) {
      --hidden_;
      in_script_ = false;
      if (hidden_ == 0) note_drawing();
    }
    const Unseen unseen = std::exchange(unseen_, element.unseen_around);
    const bool is_empty = unseen.holds() && !unseen_.holds() && formulas_.shown_end() <= element.begin;
    if (ends_formula) end_formula();
    if (hidden_ > 0) return;
    if (!is_empty) return end_visible(element);
    result_.text.resize(std::min(element.begin, result_.text.size()));
    if (unseen.by_color) put(mark::gap);  // it takes its room
    result_.text += element.if_empty;
  }

  void end_visible(Element& element) {
    if (!element.hides) end_kind(element);
    for (unsigned i = 0; i < element.closes; ++i) put(mark::close);
    if (element.hides) return;
    put_end(element.kind);
    boxes_.end(element);
  }

  // A formula of which nothing was read, or not its structure, because the page holds only its drawing,
  // becomes a picture known by that.
  void end_formula() {
    const DrawnFormula formula = std::exchange(formula_, {});
    const std::size_t begin = formula.text_begin;
    if (token_begin_ <= formula.page_begin || begin > result_.text.size()) return;
    if (formula.is_unread) result_.text.resize(begin);
    if (!shows_nothing(std::string_view(result_.text).substr(begin))) return;
    const std::string_view source = page_.substr(formula.page_begin, token_begin_ - formula.page_begin);
    if (source.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    if (!formula.has_script) return formulas_.put_picture(source);
    formulas_.put_picture(std::exchange(lost_, source));
  }

  // A drawing is known by its source.
  void note_drawing() {
    if (!drawing_begin_) return;
    const std::size_t begin = *std::exchange(drawing_begin_, std::nullopt);
    const std::string_view source = page_.substr(begin, std::max(begin, token_begin_) - begin);
    if (!shows_nothing(source))
      result_.figures.back() = {Figure::Kind::content, "data:" + drawing_look_ + "," + std::string(source)};
  }

  void end_kind(Element& element) {
    if (element.kind == ElementKind::accented) put(mark::next);
    append_value(result_.text, element.ending);
    if (element.has_line_above) lines_.end_line_above(element);
    lines_.end(element, lines_around());
    math_.end(element);
  }

  [[nodiscard]] std::uint8_t lines_around() {
    return elements_.empty() ? std::uint8_t{0} : elements_.top().lines;
  }

  void put_end(ElementKind kind) {
    if (kind == ElementKind::table) return tables_.end_table();
    if (needs_break(kind)) put(mark::line_break);
    if (kind == ElementKind::cell) tables_.end_cell(is_in_mathjye());
  }

  struct DrawnFormula {
    std::size_t depth = 0;  // of its element, 0 for none
    std::size_t page_begin = 0;
    std::size_t text_begin = 0;
    bool has_script = false;  // which should follow
    bool is_mathquill = false;
    bool is_unread = false;  // it has elements without a rule
  };

  std::string_view page_;
  HtmlTokenizer tokens_;
  std::size_t token_begin_ = 0;
  bool draws_;
  bool has_scripts_;  // that hold the LaTeX of what MathJax shows
  MarkedText result_;
  HtmlFormulas formulas_;
  ElementStack elements_;
  HtmlTables tables_{result_.text, draws_};
  HtmlBoxes boxes_{result_.text};
  HtmlLines lines_{result_.text, draws_};
  MathElements math_{result_.text};
  std::size_t hidden_ = 0;                       // elements that hide, of those that are open
  std::string drawing_look_;                     // how the last drawing as a whole is shown
  std::optional<std::size_t> drawing_begin_;     // where what draws the last figure begins on the page
  std::size_t in_mathjye_ = 0;                   // how deep the formula stands, 0 outside
  std::size_t in_math_ = 0;                      // the same of one in MathML or of Word
  std::size_t in_symbol_font_ = 0;               // the same of an element in that font
  std::size_t in_pre_ = 0;                       // the same of one that keeps its white space
  std::optional<std::size_t> last_picture_end_;  // where the last picture beside such a formula ends
  bool has_hidden_formula_ = false;  // one was read from a comment, and its picture has not come yet
  Unseen unseen_;                    // the text that comes next
  bool math_shows_ = false;          // the last formula has a text
  DrawnFormula formula_;
  std::optional<refine::Subjects> subjects_;  // what the page asks about, once that matters
  std::string_view lost_;       // the drawing of the last formula, as long as no script has followed
  bool in_script_ = false;      // in an element whose content is a formula,
  bool is_ascii_math_ = false;  // in a language that is not read
};

}  // namespace

MarkedText read_html(std::string_view page, bool draws, bool is_inner) {
  constexpr ByteSet html("<&");
  if (html.find_in(page) < page.size()) return HtmlReader(page, draws, is_inner).read();
  MarkedText marked;  // without a tag or a reference there is nothing to read
  marked.text = page;
  mark::remove_controls(marked.text, 0);
  return marked;
}

}  // namespace qdedup::markup
