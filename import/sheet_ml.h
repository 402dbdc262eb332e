#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "import/xml_parser.h"

// What all parts of a workbook in SpreadsheetML have in common.
namespace qdedup::import {

// Whether an attribute is there and says so.
bool is_true(const std::optional<std::string_view>& attribute);

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
  // What may stand anywhere is last in the grammar.
  SheetMlContent(std::string_view root, std::span<const Nesting> grammar) : root_(root), grammar_(grammar) {}

  Status start(const XmlName& name, const XmlAttributes& attributes) final;
  Status end() final;
  Status text(std::string_view characters) final;

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

  Status start_root(const XmlName& name);
  Status start_other(std::string_view name, bool is_ours);
  [[nodiscard]] const Nesting* nesting_of(std::string_view element, std::string_view parent) const;

  std::string_view root_;
  std::span<const Nesting> grammar_;
  std::string_view space_;  // of the root, and so of all that counts
  std::vector<Level> levels_;
  std::set<std::string_view> seen_;
  unsigned passed_over_ = 0;  // open elements
};

}  // namespace qdedup::import
