#include "markup/html_formulas.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "markup/html_attributes.h"
#include "markup/marks.h"

namespace qdedup::markup {
namespace {

// Nothing else has these; a name may have a low line, and a setting an equals sign.
bool is_surely_formula(std::string_view value) {
  return value.find_first_of("\\^<") != std::string_view::npos ||
         std::ranges::any_of(std::array<std::string_view, 3>{"_{", "&lt;", "«"},
                             [value](auto sign) { return value.find(sign) != std::string_view::npos; });
}

// Is it a picture, and the end of what holds it?
bool is_image_alone(std::string_view page) {
  constexpr std::size_t nearness = 4096;
  if (!page.starts_with("<img")) return false;
  return page.substr(std::min(page.substr(0, nearness).find('>'), page.size() - 1) + 1).starts_with("</");
}

}  // namespace

void HtmlFormulas::put_latex(std::string_view latex) {
  result_.text += mark::formula;
  const std::size_t begin = result_.text.size();
  result_.text += latex;
  mark::remove_controls(result_.text, begin);
  result_.text += mark::close;
  note_shown();
}

bool HtmlFormulas::put_mathml(std::string_view written) {
  if (is_inner_) return false;
  const MarkedText formula = read_html(of_wiris(written), draws_, true);
  if (!formula.figures.empty()) return false;
  result_.text += formula.text;
  note_shown();
  for (const auto& [name, count] : formula.unknown) result_.unknown[name] += count;
  return true;
}

bool HtmlFormulas::put_written(const std::string& formula) {
  if (is_mathml(formula)) return put_mathml(formula);
  put_latex(formula);
  return true;
}

bool HtmlFormulas::put_attribute(const HtmlToken& tag, std::string_view behind, bool may_be_hidden) {
  behind.remove_prefix(std::min(behind.find_first_not_of(" \n\r\t"), behind.size()));
  const bool is_image = tag.element.kind == ElementKind::image;
  const bool holds_image = !is_image && is_image_alone(behind);
  const bool is_empty = is_image || holds_image || tag.self_closing || behind.starts_with("</");
  const auto put = [&](std::string_view name, bool needs_signs) {
    const std::string_view value = tag.attribute(name).value_or("");
    if (value.empty()) return false;
    // What a picture has may be a setting; its address tells more.
    const bool is_setting =
        (is_image || holds_image) && value.size() > 1 && std::ranges::all_of(value, is_small_letter);
    if (holds_image && std::ranges::all_of(value, is_digit)) return false;
    const bool may_be_anything = is_empty && !is_setting && (!needs_signs || looks_like_formula(value));
    const bool has_signs = may_be_hidden ? looks_like_formula(value) : is_surely_formula(value);
    return (may_be_anything || has_signs) && put_written(decoded(value));
  };
  const auto put_one = [&put](std::string_view name) { return put(name, false); };
  if (may_be_hidden)
    return std::ranges::any_of(std::array<std::string_view, 2>{"data-latex", "data-tex"}, put_one);
  constexpr std::array<std::string_view, 5> names = {"data-formula", "data-math", "data-mathml", "data-mml",
                                                     "latex"};
  if (std::ranges::any_of(names, put_one)) return true;
  const bool has_value = tag.attribute("data-w-e-type") || shows_formula(tag.attribute("class").value_or(""));
  if (has_value && put("data-value", false)) return true;
  if (!behind.starts_with("</")) return false;
  // These may be anything, where the element is not empty.
  constexpr std::array<std::string_view, 6> others = {"math",          "equation",  "data-content",
                                                      "data-equation", "data-expr", "data-expression"};
  if (tag.element.kind == ElementKind::unknown && put("value", true)) return true;
  return std::ranges::any_of(others, [&put](std::string_view name) { return put(name, true); });
}

// EQ \F(1,2); a root is not to be taken for the LaTeX of white space.
void HtmlFormulas::put_field(std::string_view comment) {
  constexpr std::string_view root = "\\r(";
  if (is_inner_) return;
  const std::size_t begin = comment.find('>') + 1;
  const MarkedText field = read_html(comment.substr(begin, comment.rfind("<![endif]") - begin), draws_, true);
  const std::string name = in_lower_case(field.text);
  const std::size_t at = name.find_first_not_of(" \n\t\r\u00A0");
  const bool is_formula =
      at < name.size() && name.compare(at, 2, "eq") == 0 && name.find('\\', at) < name.size();
  if (!is_formula || !field.figures.empty()) return;
  result_.text += ' ';
  for (std::size_t i = at + 2; i < name.size(); ++i) {
    const bool is_root = name.compare(i, root.size(), root) == 0;
    result_.text += is_root ? "√" : field.text.substr(i, 1);
    if (is_root) ++i;
  }
  result_.text += ' ';
  note_shown();
}

void HtmlFormulas::add_image(const HtmlToken& tag, std::string_view classes) {
  const std::string address = address_of(tag);
  const std::string source = std::exchange(source_, {});
  if (const std::optional<std::string> latex = latex_of(address)) return put_latex(*latex);
  if (const auto mathml = mathml_of(address); mathml && put_mathml(*mathml)) return;
  Figure figure = figure_at(address);
  if (figure.kind == Figure::Kind::unnamed) figure = figure_at(source);
  figure.in_place |= shows_formula(classes);
  add_figure(std::move(figure));
}

void HtmlFormulas::add_figure(Figure figure) {
  result_.text += mark::figure;
  result_.text += std::to_string(result_.figures.size());
  result_.text += mark::close;
  note_shown();
  result_.figures.push_back(std::move(figure));
}

void HtmlFormulas::add_source(const HtmlToken& tag, bool has_come) {
  if (!has_come) {
    if (source_.empty()) source_ = address_of(tag);
  } else if (!result_.figures.empty() && result_.figures.back().kind == Figure::Kind::unnamed) {
    result_.figures.back() = figure_at(address_of(tag));
  }
}

void HtmlFormulas::put_picture(std::string_view source) {
  if (source.empty()) return;
  Figure picture{Figure::Kind::content, "data:," + std::string(source)};
  picture.in_place = true;
  add_figure(std::move(picture));
}

}  // namespace qdedup::markup
