#include "markup/figures.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

#include <xxhash.h>

#include "base/ascii.h"
#include "markup/html_tokenizer.h"
#include "markup/style.h"
#include "markup/tables.h"
#include "refine/missing_parts.h"
#include "refine/placed_marks.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// %41 as A.
std::string percent_decoded(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::optional<char> escaped = percent_escape(text);
    result += escaped.value_or(text[0]);
    text.remove_prefix(escaped ? 3 : 1);
  }
  return result;
}

// Pictures within an address that are shorter show hardly anything that tells them apart.
constexpr std::size_t shortest_picture = 300;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    result.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = result.append(text, begin);
}

std::string_view path_of(std::string_view address) { return address.substr(0, address.find_first_of("?#")); }

// Where the last part of a path begins.
std::size_t begin_of_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? 0 : slash + 1;
}

std::string_view stem_of(std::string_view address) {
  const std::string_view path = path_of(address);
  const std::string_view name = path.substr(begin_of_name(path));
  const bool has_query = path.size() < address.size() && address[path.size()] == '?';
  if (has_query && name.find('.') == std::string_view::npos) return address;
  const bool is_script = std::ranges::any_of(
      figure_words().scripts, [&name](std::string_view ending) { return name.ends_with(ending); });
  return is_script ? address : name.substr(0, name.find_last_of('.'));
}

// image002, a5, 5题图, picture(2)
bool is_generic(std::string_view name, const std::vector<std::string_view>& words) {
  constexpr std::ptrdiff_t most_digits = 4;
  const auto digits = std::ranges::count_if(name, is_digit);
  std::string word = in_lower_case(name);
  std::erase_if(word, [](char c) {
    return is_digit(c) || std::string_view("-_() ").find(c) != std::string_view::npos;
  });
  const bool is_generic_word =
      word.empty() || (word.size() == 1 && is_letter(word[0])) || std::ranges::count(words, word) > 0;
  return digits <= most_digits && is_generic_word;
}

bool is_generic_stem(std::string_view stem) {
  return is_generic(stem, figure_words().generic) || is_generic(stem, figure_words().generic_stems);
}

bool is_placeholder(std::string_view stem) {
  return std::ranges::count(figure_words().placeholders, in_lower_case(stem)) > 0;
}

// A picture within the address that only holds a place: one pixel, or a drawing of nothing.
bool is_empty_picture(std::string_view address) {
  constexpr std::array<std::string_view, 3> pixels = {"base64,R0lGODlhAQAB", "base64,R0lGODdhAQAB",
                                                      "base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"};
  const auto has = [address](std::string_view part) { return address.find(part) != std::string_view::npos; };
  if (std::ranges::any_of(pixels, has)) return true;
  if (!has("image/svg") || has(";base64") || address.size() >= shortest_picture) return false;
  const std::string drawing = percent_decoded(address);
  std::size_t elements = 0;
  for (std::size_t at = drawing.find('<'); at < drawing.size(); at = drawing.find('<', at + 1))
    elements += at + 1 < drawing.size() && is_letter(drawing[at + 1]) ? 1 : 0;
  return elements <= 1;
}

// The stem with the folders before it, up to one whose name tells something. Is there none but numbers and
// the like, it is vague.
Figure with_folder(std::string_view address, std::string_view stem) {
  const std::string_view path = path_of(address);
  const std::size_t name = begin_of_name(path);
  Figure figure{Figure::Kind::file, {}};
  figure.is_vague = true;
  std::size_t begin = name;
  for (bool goes_on = true; begin > 0 && goes_on;) {
    const std::size_t folder = begin_of_name(path.substr(0, begin - 1));
    const std::string folder_name = in_lower_case(path.substr(folder, begin - 1 - folder));
    const bool is_number = folder_name.size() <= 4 && std::ranges::all_of(folder_name, is_digit);
    goes_on = is_number || folder_name.find_first_not_of('.') == std::string::npos ||
              std::ranges::count(figure_words().generic_folders, folder_name) > 0;
    figure.is_vague &= goes_on || is_generic(folder_name, figure_words().generic);
    begin = folder;
  }
  std::string_view folders = path.substr(begin, name - begin);
  folders.remove_prefix(std::min(folders.find_first_not_of("./\\"), folders.size()));
  figure.name.append(folders).append(stem);
  return figure;
}

// Is it in a folder of formulas, or one of the metafiles that Word and MathType draw them as?
bool is_of_formulas(std::string_view address) {
  const std::string path = in_lower_case(path_of(address));
  if (path.ends_with(".wmf") || path.ends_with(".emf")) return true;
  std::string_view rest = path;
  for (std::size_t end = rest.find_first_of("/\\"); end < rest.size(); end = rest.find_first_of("/\\")) {
    if (std::ranges::count(figure_words().formula_folders, rest.substr(0, end)) > 0) return true;
    rest.remove_prefix(end + 1);
  }
  return false;
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

// get.png?id=3: what tells apart the pictures that have a short name in common.
std::optional<std::string_view> key_of_picture(std::string_view address, std::string_view name) {
  constexpr std::size_t longest = 4;
  const std::string_view stem = name.substr(begin_of_name(name));
  if (stem.size() > longest && !is_generic_stem(stem)) return std::nullopt;
  return value_in_query(address, {"id", "pid", "fid", "uid", "guid", "picture", "pic", "image", "img", "file",
                                  "filename", "name", "path", "key", "src", "url"});
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

// A hash of a text, in characters from `first` on that hold so many bits each.
template <unsigned bits>
std::string hash_in(char32_t first, std::string_view text) {
  static_assert(bits * refine::figure_place_length >= 64);
  std::u32string written(refine::figure_place_length, first);
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  for (char32_t& c : written) {
    c += static_cast<char32_t>(hash % (1U << bits));
    hash >>= bits;
  }
  return refine::to_utf8(written);
}

}  // namespace

bool is_mathml(std::string_view text) {
  return text.find("<math") != std::string_view::npos || text.find("«math") != std::string_view::npos ||
         text.find(":math") != std::string_view::npos;
}

std::string of_wiris(std::string_view written) {
  std::string page(written);
  if (page.find("«") == std::string::npos) return page;
  replace_all(page, "«", "<");
  replace_all(page, "»", ">");
  replace_all(page, "¨", "\"");
  replace_all(page, "§", "&");
  return page;
}

Figure figure_at(std::string_view address) {
  if (address.starts_with("data:")) {
    if (is_empty_picture(address)) return {};
    const bool is_short = address.size() < shortest_picture;
    return {is_short ? Figure::Kind::file : Figure::Kind::content, std::string(address)};
  }
  const std::string_view stem = stem_of(address);
  if (stem.empty() || is_placeholder(stem)) return {};
  Figure figure{is_hash(stem) ? Figure::Kind::content : Figure::Kind::file, std::string(stem)};
  if (is_generic_stem(stem)) figure = with_folder(address, stem);
  if (const auto key = key_of_picture(address, figure.name)) figure.name.append("?").append(*key);
  figure.in_place = is_of_formulas(address);
  return figure;
}

std::optional<std::string> latex_of(std::string_view address) {
  const auto draws = [address](std::string_view part) {
    return address.find(part) != std::string_view::npos;
  };
  const auto path = std::ranges::find_if(figure_words().latex_paths, draws);
  if (path != figure_words().latex_paths.end())
    return written_in_query(address.substr(address.find(*path) + path->size()));
  if (std::ranges::none_of(figure_words().latex_addresses, draws)) return latex_in_query(address);
  const std::size_t query = address.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  return written_in_query(
      value_in_query(address, {"latex", "tex", "chl", "from"}).value_or(address.substr(query + 1)));
}

std::optional<std::string> mathml_of(std::string_view address) {
  const auto value = value_in_query(address, {"mml", "mathml", "formula"});
  if (!value) return std::nullopt;
  std::string written = written_in_query(*value);
  if (!is_mathml(written)) return std::nullopt;
  return written;
}

bool shows_formula(std::string_view classes) {
  return std::ranges::any_of(figure_words().formula_classes,
                             [classes](std::string_view word) { return has_class_word(classes, word); });
}

std::string signs_of(const Figure& figure) {
  const bool is_lost = figure.in_place && (figure.is_vague || figure.kind == Figure::Kind::unnamed);
  std::string signs = " ";
  signs += is_lost ? refine::unnamed_figure : symbol_of(figure.kind);
  if (is_lost || figure.kind != Figure::Kind::unnamed)
    signs += hexadecimal(XXH3_64bits(figure.name.data(), figure.name.size()));
  return signs += ' ';
}

std::string place_of(const Figure& figure) {
  return hash_in<refine::figure_place_bits>(refine::first_figure_place, signs_of(figure));
}

std::string image_marks(std::span<const std::string> images) {
  if (images.empty()) return {};
  if (std::ranges::find(images, "") != images.end()) return refine::to_utf8({&refine::first_image_mark, 1});
  std::string lines;
  for (const std::string& image : images) lines += image + '\n';
  return hash_in<refine::image_mark_bits>(refine::first_image_mark, lines);
}

}  // namespace qdedup::markup
