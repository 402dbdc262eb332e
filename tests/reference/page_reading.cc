#include "tests/reference/page_reading.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>

#include <gumbo.h>

namespace qdedup::reference {
namespace {

struct Freed {
  void operator()(GumboOutput* output) const { gumbo_destroy_output(&kGumboDefaultOptions, output); }
};

std::string attribute(const GumboNode& node, const char* name) {
  const GumboAttribute* const found = gumbo_get_attribute(&node.v.element.attributes, name);
  return found == nullptr ? "" : found->value;
}

bool is_hidden(const GumboNode& node) {
  const GumboTag tag = node.v.element.tag;
  const std::string style = attribute(node, "style");
  return tag == GUMBO_TAG_STYLE || tag == GUMBO_TAG_SCRIPT || tag == GUMBO_TAG_TITLE ||
         tag == GUMBO_TAG_TEMPLATE || style.find("display:none") != std::string::npos ||
         attribute(node, "aria-hidden") == "true";
}

bool separates(GumboTag tag) {
  constexpr std::array blocks = {GUMBO_TAG_P,  GUMBO_TAG_DIV,   GUMBO_TAG_UL, GUMBO_TAG_LI, GUMBO_TAG_H1,
                                 GUMBO_TAG_BR, GUMBO_TAG_TABLE, GUMBO_TAG_TR, GUMBO_TAG_TD};
  for (const GumboTag block : blocks) {
    if (tag == block) return true;
  }
  return false;
}

constexpr std::string_view border = "\u2063";  // before a cell or row that is not the first one

// With single spaces, and none at the ends or before a border.
std::string single_spaced(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;)
    result += (result.empty() || word.starts_with(border) ? "" : " ") + word;
  return result;
}

std::size_t characters(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

// What is raised and lowered stands between these until all is read.
constexpr char raised = '\x01';
constexpr char lowered = '\x02';
constexpr char end = '\x03';

std::string script(char sign, const std::string& content) {
  const std::string held = single_spaced(content);
  if (held.empty()) return content;
  const bool is_single = characters(held) == 1 && held[0] != raised && held[0] != lowered;
  return sign + (is_single ? content : "(" + content + ")") + end;
}

// What is lowered goes before what is raised just before it. Reads from `at` to the end of the script there.
std::string in_order(const std::string& text, std::size_t& at) {
  std::string result;
  std::size_t raised_at = std::string::npos;
  for (; at < text.size() && text[at] != end; ++at) {
    const char sign = text[at];
    if (sign != raised && sign != lowered) {
      result += sign;
      raised_at = std::string::npos;
      continue;
    }
    const std::string content = in_order(text, ++at);
    if (sign == lowered) {
      result.insert(std::min(raised_at, result.size()), "\uE000" + content);
      raised_at = std::string::npos;
    } else {
      raised_at = result.size();
      result += "^" + content;
    }
  }
  return result;
}

std::string content_of(const GumboNode& node);

bool has_tag(const GumboNode& node, GumboTag tag) {
  return node.type == GUMBO_NODE_ELEMENT && node.v.element.tag == tag;
}

// Is another cell of the row, or row of the table, before this one?
bool follows_its_like(const GumboNode& node) {
  const GumboTag tag = node.v.element.tag;
  if (tag != GUMBO_TAG_TD && tag != GUMBO_TAG_TR) return false;
  const GumboVector& children = node.parent->v.element.children;
  for (std::size_t i = 0; i < node.index_within_parent; ++i) {
    if (has_tag(*static_cast<const GumboNode*>(children.data[i]), tag)) return true;
  }
  return false;
}

std::string text_of(const GumboNode& node) {
  switch (node.type) {
    case GUMBO_NODE_TEXT:
    case GUMBO_NODE_WHITESPACE:
    case GUMBO_NODE_CDATA:
      return node.v.text.text;
    case GUMBO_NODE_ELEMENT:
      break;
    default:
      return "";
  }
  if (is_hidden(node)) return "";
  const GumboTag tag = node.v.element.tag;
  const std::string content = content_of(node);
  if (tag == GUMBO_TAG_SUP) return script(raised, content);
  if (tag == GUMBO_TAG_SUB) return script(lowered, content);
  if (!separates(tag)) return content;
  const bool is_empty = tag == GUMBO_TAG_TD && single_spaced(content).empty();
  return (follows_its_like(node) ? "\n" + std::string(border) : "") + "\n" + (is_empty ? "____" : content) +
         "\n";
}

std::string content_of(const GumboNode& node) {
  std::string content;
  const GumboVector& children = node.v.element.children;
  for (unsigned i = 0; i < children.length; ++i)
    content += text_of(*static_cast<const GumboNode*>(children.data[i]));
  return content;
}

}  // namespace

std::string read_page(std::string_view page) {
  const std::unique_ptr<GumboOutput, Freed> output(
      gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size()));
  std::size_t at = 0;
  return single_spaced(in_order(text_of(*output->root), at));
}

}  // namespace qdedup::reference
