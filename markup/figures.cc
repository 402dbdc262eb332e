#include "markup/figures.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include <xxhash.h>

#include "base/ascii.h"
#include "markup/html_tokenizer.h"
#include "markup/tables.h"
#include "refine/missing_parts.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// %41 as A.
std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_escape = text[at] == '%' && at + 2 < text.size() && hexadecimal_value(text[at + 1]) >= 0 &&
                           hexadecimal_value(text[at + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(hexadecimal_value(text[at + 1]) * 16 + hexadecimal_value(text[at + 2]));
      at += 2;
    } else {
      result += text[at];
    }
  }
  return result;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = result.append(text, begin);
}

// Where the last part of a path begins.
std::size_t begin_of_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? 0 : slash + 1;
}

std::string_view stem_of(std::string_view address) {
  const std::string_view path = address.substr(0, address.find_first_of("?#"));
  const std::string_view name = path.substr(begin_of_name(path));
  const bool has_query = path.size() < address.size() && address[path.size()] == '?';
  if (has_query && name.find('.') == std::string_view::npos) return address;
  const bool is_script = std::ranges::any_of(
      figure_words().scripts, [&name](std::string_view ending) { return name.ends_with(ending); });
  return is_script ? address : name.substr(0, name.find_last_of('.'));
}

// image002, 5
bool is_generic(std::string_view stem) {
  constexpr std::ptrdiff_t most_digits = 4;
  const auto digits = std::ranges::count_if(stem, is_digit);
  const std::string word = in_lower_case(stem.substr(0, stem.find_last_not_of("0123456789-_") + 1));
  return digits <= most_digits && (word.empty() || std::ranges::count(figure_words().generic, word) > 0);
}

bool is_placeholder(std::string_view stem) {
  return std::ranges::count(figure_words().placeholders, in_lower_case(stem)) > 0;
}

// The stem with the folder before it.
std::string with_folder(std::string_view address, std::string_view stem) {
  const std::string_view path = address.substr(0, address.find_first_of("?#"));
  const std::size_t name = begin_of_name(path);
  if (name == 0) return std::string(stem);
  const std::size_t folder = begin_of_name(path.substr(0, name - 1));
  return std::string(path.substr(folder, name - folder)) + std::string(stem);
}

// The value of one of these keys in the query of an address.
std::optional<std::string_view> value_in_query(std::string_view address,
                                               std::initializer_list<std::string_view> keys) {
  std::size_t at = address.find('?');
  while (at != std::string_view::npos) {
    const std::size_t end = address.find('&', at + 1);
    const std::string_view part = address.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
    for (const std::string_view key : keys) {
      if (part.size() > key.size() && part.starts_with(key) && part[key.size()] == '=') {
        return part.substr(key.size() + 1);
      }
    }
    at = end;
  }
  return std::nullopt;
}

// Percent escapes and references decoded, as valid UTF-8.
std::string written_in_query(std::string_view value) {
  std::string text = refine::to_utf8(refine::to_utf32(percent_decoded(value)));
  replace_all(text, "&space;", " ");
  return decoded(text);
}

bool is_hash(std::string_view stem) {
  constexpr std::ptrdiff_t fewest_digits = 16;
  const auto digits = std::ranges::count_if(stem, [](char c) { return hexadecimal_value(c) >= 0; });
  const bool no_other =
      std::ranges::all_of(stem, [](char c) { return hexadecimal_value(c) >= 0 || c == '-'; });
  return no_other && digits >= fewest_digits;
}

std::string_view symbol_of(Figure::Kind kind) {
  if (kind == Figure::Kind::content) return refine::known_figure;
  return kind == Figure::Kind::file ? refine::named_figure : refine::unnamed_figure;
}

// What an address of any server says: a key that names LaTeX, or a formula that is no number of one.
std::optional<std::string> latex_in_query(std::string_view address) {
  if (const auto latex = value_in_query(address, {"tex", "latex"})) return written_in_query(*latex);
  const auto formula = value_in_query(address, {"formula", "math"});
  if (!formula) return std::nullopt;
  std::string written = written_in_query(*formula);
  if (is_mathml(written) || written.find_first_of("\\^_={") == std::string::npos) return std::nullopt;
  return written;
}

}  // namespace

bool is_mathml(std::string_view text) {
  return text.find("<math") != std::string_view::npos || text.find("«math") != std::string_view::npos ||
         text.find(":math") != std::string_view::npos;
}

Figure figure_at(std::string_view address) {
  if (address.starts_with("data:")) return {Figure::Kind::content, std::string(address)};
  const std::string_view stem = stem_of(address);
  if (stem.empty() || is_placeholder(stem)) return {};
  if (is_generic(stem)) return {Figure::Kind::file, with_folder(address, stem)};
  return {is_hash(stem) ? Figure::Kind::content : Figure::Kind::file, std::string(stem)};
}

std::optional<std::string> latex_of(std::string_view address) {
  const auto draws = [address](std::string_view part) {
    return address.find(part) != std::string_view::npos;
  };
  if (std::ranges::none_of(figure_words().latex_addresses, draws)) return latex_in_query(address);
  const std::size_t query = address.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  return written_in_query(
      value_in_query(address, {"latex", "tex", "chl"}).value_or(address.substr(query + 1)));
}

std::optional<std::string> mathml_of(std::string_view address) {
  const auto value = value_in_query(address, {"mml", "mathml", "formula"});
  if (!value) return std::nullopt;
  std::string written = written_in_query(*value);
  if (!is_mathml(written)) return std::nullopt;
  return written;
}

bool shows_formula(std::string_view classes, std::string_view address) {
  const std::string named = in_lower_case(classes);
  return latex_of(address).has_value() ||
         std::ranges::any_of(figure_words().formula_classes, [&named](std::string_view word) {
           return named.find(word) != std::string::npos;
         });
}

std::string signs_of(const Figure& figure) {
  std::string signs = " ";
  signs += symbol_of(figure.kind);
  if (figure.kind != Figure::Kind::unnamed) {
    signs += hexadecimal(XXH3_64bits(figure.name.data(), figure.name.size()));
  }
  return signs += ' ';
}

}  // namespace qdedup::markup
