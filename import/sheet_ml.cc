#include "import/sheet_ml.h"

#include <algorithm>
#include <array>

#include "import/question_reader.h"

namespace qdedup::import {
namespace {

using namespace std::string_view_literals;

constexpr std::array spaces = {"http://schemas.openxmlformats.org/spreadsheetml/2006/main"sv,
                               "http://purl.oclc.org/ooxml/spreadsheetml/main"sv};

std::string shown_tag(std::string_view name) { return '<' + excerpt(name) + '>'; }

}  // namespace

bool is_true(const std::optional<std::string_view>& attribute) {
  return attribute && *attribute != "0" && *attribute != "false";
}

Status SheetMlContent::start(const XmlName& name, const XmlAttributes& attributes) {
  if (passed_over_ > 0) {
    ++passed_over_;
    return {};
  }
  if (levels_.empty()) return start_root(name);
  const Level parent = levels_.back();
  if (name.space != space_ && std::ranges::find(spaces, name.space) != spaces.end())
    return bad_workbook("mixes the transitional and the strict form");
  const bool is_ours = name.space == space_;
  const Nesting* const found = is_ours ? nesting_of(name.local, parent.element) : nullptr;
  if (found == nullptr) return start_other(name.local, is_ours);
  if (found->kind == Nesting::once && !seen_.insert(found->element).second)
    return bad_workbook("has two " + shown_tag(name.local));
  levels_.push_back({found->element, found->kind != Nesting::open});
  return begin(found->element, parent.element, attributes);
}

Status SheetMlContent::end() {
  if (passed_over_ > 0) {
    --passed_over_;
    return {};
  }
  const Level level = levels_.back();
  levels_.pop_back();
  return level.element.empty() ? Status() : finish(level.element);
}

Status SheetMlContent::text(std::string_view characters) {
  if (passed_over_ > 0 || levels_.back().element.empty()) return {};
  return add_text(levels_.back().element, characters);
}

Status SheetMlContent::start_root(const XmlName& name) {
  const auto space = std::ranges::find(spaces, name.space);
  if (space == spaces.end() || name.local != root_)
    return bad_workbook("is " + shown_tag(name.local) + ", not <" + std::string(root_) + ">");
  space_ = *space;
  levels_.push_back({root_, false});
  return {};
}

Status SheetMlContent::start_other(std::string_view name, bool is_ours) {
  const Level& parent = levels_.back();
  if (parent.is_closed) {
    const bool is_harmless = name == "extLst" || name == "rPr" || name == "phoneticPr";
    if (!is_ours || !is_harmless)
      return bad_workbook("has " + shown_tag(name) + " in <" + std::string(parent.element) + ">");
    passed_over_ = 1;
    return {};
  }
  if (is_ours && std::ranges::find(grammar_, name, &Nesting::element) != grammar_.end())
    return bad_workbook("has " + shown_tag(name) + " in an unusual place");
  levels_.push_back({});
  return {};
}

const Nesting* SheetMlContent::nesting_of(std::string_view element, std::string_view parent) const {
  for (const Nesting& nesting : grammar_) {
    if (nesting.element == element && (nesting.parent == parent || nesting.parent == "*")) return &nesting;
  }
  return nullptr;
}

}  // namespace qdedup::import
