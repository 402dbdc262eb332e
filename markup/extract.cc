#include "markup/extract.h"

#include <algorithm>
#include <utility>

#include "markup/formula_reader.h"
#include "markup/html_reader.h"
#include "markup/tidying.h"

namespace qdedup::markup {
namespace {

void append_figures(const std::vector<Figure>& figures, std::string& text) {
  std::vector<std::string> floating;
  for (const Figure& figure : figures) {
    if (!figure.in_place) floating.push_back(signs_of(figure));
  }
  std::ranges::sort(floating);
  if (!floating.empty()) text += '\n';
  for (const std::string& signs : floating) text += signs;
}

Extracted extract_markup(std::string_view original, std::span<const std::string> images) {
  MarkedText marked = read_html(original);
  ReadText read = read_formulas(marked, images);
  Extracted result;
  result.has_html = marked.has_markup;
  result.has_formulas = read.has_formulas;
  result.text = std::move(read.text);
  result.figures = std::move(read.figures);
  result.unknown = std::move(marked.unknown);
  result.unknown.merge(read.unknown);
  remove_watermarks(result.text);
  join_at_commas(result.text);
  join_brackets(result.text);
  mend_confusables(result.text);
  mark_plain_scripts(result.text);
  if (marked.has_markup) collapse_white_space(result.text);
  return result;
}

}  // namespace

Extracted extract(std::string_view original, const Options& options, std::span<const std::string> images) {
  Extracted result;
  if (options.markup == Reading::automatic) {
    result = extract_markup(original, images);
  } else {
    result.text = original;
  }
  if (options.numbering == Numbering::drop) result.text = without_numbering(result.text);
  append_figures(result.figures, result.text);
  return result;
}

std::string_view name(Reading reading) { return name_in(reading_names, reading); }

std::string_view name(Numbering numbering) { return name_in(numbering_names, numbering); }

std::string_view extraction_version() { return "17"; }

}  // namespace qdedup::markup
