#include "markup/figures.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <xxhash.h>

#include "markup/html_tokenizer.h"
#include "markup/tables.h"
#include "refine/missing_parts.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// %41 as A.
std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_escape = text[at] == '%' && at + 2 < text.size() && hex_value(text[at + 1]) >= 0 &&
                           hex_value(text[at + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2]));
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

std::string_view stem_of(std::string_view address) {
  const std::string_view path = address.substr(0, address.find_first_of("?#"));
  const std::size_t slash = path.find_last_of("/\\");
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const bool is_script = std::ranges::any_of(
      figure_words().scripts, [&name](std::string_view ending) { return name.ends_with(ending); });
  return is_script ? address : name.substr(0, name.find_last_of('.'));
}

bool is_hash(std::string_view stem) {
  constexpr std::ptrdiff_t fewest_digits = 16;
  const auto digits = std::ranges::count_if(stem, [](char c) { return hex_value(c) >= 0; });
  const bool no_other = std::ranges::all_of(stem, [](char c) { return hex_value(c) >= 0 || c == '-'; });
  return no_other && digits >= fewest_digits;
}

std::string_view symbol_of(Figure::Kind kind) {
  if (kind == Figure::Kind::content) return refine::known_figure;
  return kind == Figure::Kind::file ? refine::named_figure : refine::unnamed_figure;
}

std::string hexadecimal(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) text += digits[number >> (shift - 4) & 15U];
  return text;
}

}  // namespace

Figure figure_at(std::string_view address) {
  if (address.starts_with("data:")) return {Figure::Kind::content, std::string(address)};
  const std::string_view stem = stem_of(address);
  if (stem.empty()) return {};
  return {is_hash(stem) ? Figure::Kind::content : Figure::Kind::file, std::string(stem)};
}

std::optional<std::string> latex_of(std::string_view address) {
  const auto draws = [address](std::string_view part) {
    return address.find(part) != std::string_view::npos;
  };
  if (std::ranges::none_of(figure_words().latex_addresses, draws)) return std::nullopt;
  const std::size_t query = address.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  std::string_view written = address.substr(query + 1);
  for (const std::string_view key : {"latex=", "tex=", "chl="}) {
    const std::size_t at = written.find(key);
    if (at != std::string_view::npos) written = written.substr(at + key.size());
  }
  std::string latex = refine::to_utf8(refine::to_utf32(percent_decoded(written)));
  replace_all(latex, "&space;", " ");
  return decoded(latex);
}

bool shows_formula(std::string_view classes, std::string_view address) {
  const std::string named = lower_case(classes);
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
