#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value_names.h"
#include "markup/figures.h"

// The stage before the duplicate test: of a text with markup, one without, so that two writings of one
// question give equal signs (doc/markup.md).
namespace qdedup::markup {

enum class Reading : std::uint8_t {
  plain,      // a text as it is
  automatic,  // HTML where it holds a tag, a comment or an entity; LaTeX; figures
};

enum class Numbering : std::uint8_t { keep, drop };

inline constexpr ValueNames<Reading, 2> reading_names = {
    {{Reading::automatic, "auto"}, {Reading::plain, "plain"}}};
inline constexpr ValueNames<Numbering, 2> numbering_names = {
    {{Numbering::keep, "keep"}, {Numbering::drop, "drop"}}};

std::string_view name(Reading reading);
std::string_view name(Numbering numbering);

struct Options {
  Reading markup = Reading::plain;
  Numbering numbering = Numbering::keep;

  [[nodiscard]] bool change_nothing() const {
    return markup == Reading::plain && numbering == Numbering::keep;
  }

  friend bool operator==(const Options&, const Options&) = default;
};

struct Extracted {
  std::string text;             // UTF-8; the signs of figures that float are at its end, sorted
  std::vector<Figure> figures;  // in reading order
  bool has_html = false;        // a tag, a comment or an entity
  bool has_formulas = false;    // LaTeX
  std::map<std::string, std::uint64_t>
      unknown;  // commands "\name" and tags "<name>" without a rule, and how often

  [[nodiscard]] bool has_markup() const { return has_html || has_formulas || !figures.empty(); }
};

// `original` is UTF-8 without NUL. `images` are hashes of what the question's figures show, in reading order;
// an empty one says nothing. Linear in the text, whatever it holds; the depth of nesting costs no stack.
Extracted extract(std::string_view original, const Options& options,
                  std::span<const std::string> images = {});

// Names these rules. What was extracted under another name must be extracted anew.
std::string_view extraction_version();

}  // namespace qdedup::markup
