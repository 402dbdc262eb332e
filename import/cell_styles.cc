#include "import/cell_styles.h"

#include <array>

#include "base/parse_number.h"
#include "import/workbook_limits.h"

namespace qdedup::import {
namespace {

constexpr std::array style_sheet = {
    Nesting{"numFmts", "styleSheet"}, Nesting{"cellStyleXfs", "styleSheet", Nesting::once},
    Nesting{"xf", "cellStyleXfs"},    Nesting{"cellXfs", "styleSheet", Nesting::once},
    Nesting{"xf", "cellXfs"},         Nesting{"numFmt", "*"}};

std::uint32_t number_in(const XmlAttributes& attributes, std::string_view name) {
  return parse_number<std::uint32_t>(attributes.find(name).value_or("0")).value_or(UINT32_MAX);
}

FormatEffect both(const FormatEffect& one, const FormatEffect& other) {
  return {one.shows_texts && other.shows_texts, one.shows_numbers && other.shows_numbers};
}

}  // namespace

CellStyles::CellStyles() : SheetMlContent("styleSheet", style_sheet) {}

std::optional<FormatEffect> CellStyles::effect(std::uint32_t style) const {
  const bool is_default = cells_.empty() && style == 0;
  if (!is_default && style >= cells_.size()) return std::nullopt;
  return is_default ? FormatEffect{} : cells_[style];
}

Status CellStyles::begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) {
  if (element == "numFmt") return add_format(attributes);
  if (element == "numFmts") in_list_ = true;
  if (element != "xf") return {};
  std::vector<FormatEffect>& styles = parent == "cellXfs" ? cells_ : named_;
  if (styles.size() == workbook_limits::styles) return bad_workbook("has too many styles");
  FormatEffect effect = effect_of(number_in(attributes, "numFmtId"));
  // Some programs show a cell by the named style where its own format is not said to apply.
  const std::uint32_t named = number_in(attributes, "xfId");
  if (parent == "cellXfs" && named < named_.size()) effect = both(effect, named_[named]);
  styles.push_back(effect);
  return {};
}

Status CellStyles::finish(std::string_view element) {
  if (element == "numFmts") in_list_ = false;
  return {};
}

// Elsewhere than in their list, formats are those of conditions. In it, Excel gives some in two ways, as
// alternate contents: what one of them hides is hidden.
Status CellStyles::add_format(const XmlAttributes& attributes) {
  const FormatEffect effect = effect_of_code(attributes.find("formatCode").value_or(""));
  if (!in_list_) {
    if (!effect.shows_texts || !effect.shows_numbers) has_replacing_conditions_ = true;
    return {};
  }
  FormatEffect& all = formats_[number_in(attributes, "numFmtId")];
  all = both(all, effect);
  return formats_.size() > workbook_limits::styles ? bad_workbook("has too many number formats") : Status();
}

FormatEffect CellStyles::effect_of(std::uint32_t format) const {
  const auto own = formats_.find(format);
  return own == formats_.end() ? effect_of_built_in(format) : own->second;
}

}  // namespace qdedup::import
