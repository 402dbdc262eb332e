#include "markup/html_tokenizer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/tables.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

constexpr std::size_t not_found = std::string_view::npos;
constexpr std::string_view section_opening = "[CDATA[";
constexpr std::string_view section_closing = "]]>";
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

// What ends the name of a tag, of an attribute, a value without quotes, and a stretch of text without
// references.
constexpr ByteSet name_ends(" \n\t\r\f/>");
constexpr ByteSet attribute_ends(" \n\t\r\f/>=");
constexpr ByteSet value_ends(" \n\t\r\f>");
// Otherwise many tags in a row would be read again for each of them, as one value.
constexpr ByteSet cautious_value_ends(" \n\t\r\f><");
constexpr ByteSet decodable(std::string_view("&\0", 2));

bool is_white(char c) { return is_white_space(c) || c == '\f'; }

bool same_name(std::string_view written, std::string_view name) {
  return std::ranges::equal(written, name, [](char a, char b) { return in_lower_case(a) == b; });
}

// Attributes that stand without a value.
constexpr std::array<std::string_view, 24> flags = {
    "allowfullscreen", "async",    "autofocus", "autoplay", "border", "checked",  "contenteditable",
    "controls",        "defer",    "disabled",  "download", "hidden", "ismap",    "loop",
    "multiple",        "muted",    "noshade",   "nowrap",   "open",   "readonly", "required",
    "reversed",        "selected", "stretchy",
};

bool is_name_character(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == ':' || c == '.'; }

bool is_name(std::string_view name) { return std::ranges::all_of(name, is_name_character); }

bool is_meant_attribute(const HtmlAttribute& attribute) {
  if (attribute.name.empty() || !is_name(attribute.name)) return false;
  if (attribute.has_value) return true;
  const bool is_flag = std::ranges::any_of(
      flags, [&attribute](std::string_view flag) { return same_name(attribute.name, flag); });
  return is_flag || attribute.name.find('-') != not_found;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// What numbers from 0x80 to 0x9F stand for: characters of Windows-1252.
constexpr std::array<char32_t, 32> windows_1252 = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178,
};

char32_t numbered_character(std::uint32_t number) {
  if (number >= 0x80 && number <= 0x9F) return windows_1252[number - 0x80];
  return number == 0 ? U'\uFFFD' : static_cast<char32_t>(number);
}

int digit_value(char c, unsigned base) {
  return base == 16 ? hexadecimal_value(c) : is_digit(c) ? c - '0' : -1;
}

// Appends what "#…" stands for; returns its length, 0 if it is no reference.
std::size_t append_numbered(std::string& to, std::string_view text) {
  const bool is_hexadecimal = text.size() > 1 && in_lower_case(text[1]) == 'x';
  const unsigned base = is_hexadecimal ? 16 : 10;
  const std::size_t begin = is_hexadecimal ? 2 : 1;
  std::size_t at = begin;
  std::uint32_t number = 0;
  for (; at < text.size() && digit_value(text[at], base) >= 0; ++at) {
    number = std::min(number * base + static_cast<std::uint32_t>(digit_value(text[at], base)), 0x110000U);
  }
  if (at == begin) return 0;
  const char32_t character = numbered_character(number);
  to += refine::to_utf8(std::u32string_view(&character, 1));
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

// The same for a name.
std::size_t append_named(std::string& to, std::string_view text, bool in_attribute) {
  const Entity* const entity = find_entity(text);
  if (entity == nullptr) return 0;
  const std::size_t length = entity->name.size();
  if (in_attribute && entity->name.back() != ';' && length < text.size()) {
    const char after = text[length];
    if (after == '=' || is_letter(after) || is_digit(after)) return 0;
  }
  to += entity->text;
  return length;
}

std::size_t append_reference(std::string& to, std::string_view text, bool in_attribute) {
  if (text.empty()) return 0;
  if (text[0] == '#') return append_numbered(to, text);
  return is_letter(text[0]) ? append_named(to, text, in_attribute) : 0;
}

}  // namespace

void append_decoded(std::string& to, std::string_view text, bool in_attribute) {
  while (true) {
    const std::size_t at = decodable.find_in(text);
    to += text.substr(0, at);
    if (at == text.size()) return;
    const bool is_reference = text[at] == '&';
    text.remove_prefix(at + 1);
    if (!is_reference) {
      to += replacement_character;
      continue;
    }
    const std::size_t length = append_reference(to, text, in_attribute);
    if (length == 0) to += '&';
    text.remove_prefix(length);
  }
}

std::string decoded(std::string_view value) {
  std::string text;
  append_decoded(text, value, true);
  return text;
}

std::optional<std::string_view> HtmlToken::attribute(std::string_view name) const {
  for (const HtmlAttribute& candidate : attributes) {
    if (same_name(candidate.name, name)) return candidate.value;
  }
  return std::nullopt;
}

bool HtmlTokenizer::next(HtmlToken& token) {
  if (raw_end_ > at_) {
    const bool has_references = raw_has_references_;
    take_text(token, raw_end_);
    token.has_references = has_references;
    return true;
  }
  if (markup_end_ == 0 && !find_markup()) {
    return at_ < page_.size() && take_text(token, page_.size());
  }
  if (markup_begin_ > at_) return take_text(token, markup_begin_);
  at_ = markup_end_;
  markup_end_ = 0;
  std::swap(token, markup_);
  return true;
}

// Finds the next markup and reads it.
bool HtmlTokenizer::find_markup() {
  for (std::size_t at = page_.find('<', at_); at != not_found; at = page_.find('<', at + 1)) {
    if (ends_section(at)) return true;
    const std::size_t end = read_markup(markup_, at);
    if (end == at) continue;
    markup_begin_ = at;
    markup_end_ = end;
    return true;
  }
  return ends_section(page_.size());
}

// Does the section of CDATA that is open end before `limit`? Its end is an empty text.
bool HtmlTokenizer::ends_section(std::size_t limit) {
  if (section_end_ < at_) section_end_ = 0;  // a tag took it along
  if (section_end_ == 0 || section_end_ >= limit) return false;
  const std::size_t end = std::exchange(section_end_, 0);
  markup_ = {};
  markup_begin_ = end;
  markup_end_ = end + section_closing.size();
  return true;
}

bool HtmlTokenizer::take_text(HtmlToken& token, std::size_t end) {
  token.kind = HtmlToken::Kind::text;
  token.text = page_.substr(at_, end - at_);
  token.has_references = true;
  at_ = end;
  return true;
}

// What begins with the "<" at `at`; returns where it ends, `at` itself where it is text. Markup that gives
// nothing is an empty text.
std::size_t HtmlTokenizer::read_markup(HtmlToken& token, std::size_t at) {
  const std::size_t name = at + 1;
  if (name >= page_.size()) return at;
  if (is_letter(page_[name])) return read_tag(token, at);
  if (page_[name] == '!') return read_declaration(token, at);
  if (page_[name] == '?') return read_bogus_comment(token, name);
  if (page_[name] != '/' || name + 1 >= page_.size()) return at;
  if (is_letter(page_[name + 1])) return read_tag(token, at);
  if (reading_ == Reading::caution) return at;
  if (page_[name + 1] != '>') return read_bogus_comment(token, name + 1);
  token.kind = HtmlToken::Kind::text;
  token.text = {};
  return name + 2;
}

std::size_t HtmlTokenizer::read_tag(HtmlToken& token, std::size_t at) {
  if (reading_ == Reading::caution && !is_behind(at, '>')) return at;
  const bool ends = page_[at + 1] == '/';
  const std::size_t name = at + (ends ? 2 : 1);
  std::size_t end = end_of_name(name_ends, name);
  token.kind = ends ? HtmlToken::Kind::end_tag : HtmlToken::Kind::start_tag;
  token.text = page_.substr(name, end - name);
  token.self_closing = false;
  token.attributes.clear();
  if (reading_ == Reading::caution && !is_name(token.text)) return at;
  end = read_attributes(token, end);
  if (end == not_found) {
    token.kind = HtmlToken::Kind::text;
    token.text = {};
    return page_.size();
  }
  if (reading_ == Reading::caution && !is_meant(token, at)) return at;
  has_tags_ = true;
  return end;
}

// Where the name at `at` ends: before one of `ends`. With caution at most after the first character
// that no name has, so that what is no tag takes no time.
std::size_t HtmlTokenizer::end_of_name(const ByteSet& ends, std::size_t at) const {
  if (reading_ == Reading::standard) return ends.find_in(page_, at + 1);
  std::size_t end = at;
  while (end < page_.size() && is_name_character(page_[end])) ++end;
  return end < page_.size() && (end == at || !ends.has(page_[end])) ? end + 1 : end;
}

// Is there such a character, a quote or ">", behind `at`?
bool HtmlTokenizer::is_behind(std::size_t at, char wanted) {
  auto& last = wanted == '>' ? last_closing_ : wanted == '"' ? last_double_quote_ : last_single_quote_;
  if (!last) last = page_.rfind(wanted);
  return *last != not_found && *last > at;
}

// Reads to after the ">"; where there is none `not_found`, or with caution an attribute without a name, so
// that is_meant() finds it.
std::size_t HtmlTokenizer::read_attributes(HtmlToken& token, std::size_t at) {
  const auto give_up = [&] {
    if (reading_ == Reading::standard) return not_found;
    token.attributes.emplace_back();
    return page_.size();
  };
  while (true) {
    at = skip_white(at);
    if (at >= page_.size() || hopeless_.contains(at)) return give_up();
    if (page_[at] == '>') return at + 1;
    if (page_[at] == '/') {
      ++at;
      token.self_closing = at < page_.size() && page_[at] == '>';
      continue;
    }
    HtmlAttribute attribute;
    const std::size_t name_end = end_of_name(attribute_ends, at);
    attribute.name = page_.substr(at, name_end - at);
    if (reading_ == Reading::caution && !is_name(attribute.name)) {
      token.attributes.push_back(attribute);
      return at;  // likewise
    }
    at = skip_white(name_end);
    if (at < page_.size() && page_[at] == '=') at = read_value(attribute, skip_white(at + 1));
    token.attributes.push_back(attribute);
    if (at == not_found) return give_up();
  }
}

std::size_t HtmlTokenizer::read_value(HtmlAttribute& attribute, std::size_t at) {
  if (at >= page_.size()) return not_found;
  attribute.has_value = true;
  const char quote = page_[at];
  const bool is_quoted = attribute.is_quoted = quote == '"' || quote == '\'';
  const std::size_t begin = is_quoted ? at + 1 : at;
  const ByteSet& ends = reading_ == Reading::caution ? cautious_value_ends : value_ends;
  if (is_quoted && !is_behind(at, quote)) return not_found;
  const std::size_t end = is_quoted ? page_.find(quote, begin) : ends.find_in(page_, begin);
  if (end >= page_.size()) return not_found;
  attribute.value = page_.substr(begin, end - begin);
  return is_quoted ? end + 1 : end;
}

std::size_t HtmlTokenizer::read_declaration(HtmlToken& token, std::size_t at) {
  const std::string_view rest = page_.substr(at + 2);
  if (rest.starts_with("--")) return read_comment(token, at);
  if (reading_ == Reading::caution && rest.starts_with(section_opening)) {
    // What XML keeps in it is a page or a text as any other.
    const bool is_known = sections_end_ || section_end_ > at;
    const std::size_t closing = is_known ? section_end_ : page_.find(section_closing, at);
    sections_end_ |= closing == not_found;
    if (closing != not_found && closing > at) {
      section_end_ = closing;
      token.kind = HtmlToken::Kind::text;
      token.text = {};
      return at + 2 + section_opening.size();
    }
  }
  const bool is_doctype = same_name(rest.substr(0, 7), "doctype");
  if (reading_ == Reading::caution && !is_doctype && !rest.starts_with("[")) return at;
  const std::size_t end = read_bogus_comment(token, at + 2);
  if (is_doctype && end != at) token.kind = HtmlToken::Kind::doctype;
  return end;
}

// Where a comment ends, as an offset into `rest`, which follows "<!--", and how long that end is.
struct CommentEnd {
  std::size_t at;
  std::size_t length;
};

CommentEnd end_of_comment(std::string_view rest) {
  if (rest.starts_with(">")) return {0, 1};
  if (rest.starts_with("->")) return {0, 2};
  for (std::size_t at = rest.find("--"); at != not_found; at = rest.find("--", at + 1)) {
    const std::string_view behind = rest.substr(at + 2);
    if (behind.starts_with(">")) return {at, 3};
    if (behind.starts_with("!>")) return {at, 4};
  }
  return {not_found, 0};
}

// The content of a comment that is cut off, without the part of an end that it has.
std::string_view cut_off_comment(std::string_view rest) {
  for (const std::string_view part : {"--!", "--", "-"}) {
    if (rest.ends_with(part)) return rest.substr(0, rest.size() - part.size());
  }
  return rest;
}

std::size_t HtmlTokenizer::read_comment(HtmlToken& token, std::size_t at) {
  const std::size_t begin = at + 4;
  if (comments_end_) return at;
  const std::string_view rest = page_.substr(begin);
  const CommentEnd end = end_of_comment(rest);
  if (end.at == not_found && reading_ == Reading::caution) {
    comments_end_ = true;
    return at;
  }
  token.kind = HtmlToken::Kind::comment;
  token.text = end.at == not_found ? cut_off_comment(rest) : rest.substr(0, end.at);
  return end.at == not_found ? page_.size() : begin + end.at + end.length;
}

// Up to the next ">". Returns the "<" where it is not closed and caution reads it as text.
std::size_t HtmlTokenizer::read_bogus_comment(HtmlToken& token, std::size_t begin) {
  const bool is_cautious = reading_ == Reading::caution;
  const bool is_instruction = begin + 2 < page_.size() && page_[begin] == '?' &&
                              is_letter(page_[begin + 1]) && is_letter(page_[begin + 2]);
  const bool is_declaration = page_[begin - 1] == '!';
  if (is_cautious && !is_instruction && !is_declaration) return page_.rfind('<', begin);
  if (is_cautious && !is_behind(begin - 1, '>')) return page_.rfind('<', begin);
  const std::size_t end = page_.find('>', begin);
  token.kind = HtmlToken::Kind::comment;
  token.text = page_.substr(begin, std::min(end, page_.size()) - begin);
  return end == not_found ? page_.size() : end + 1;
}

std::size_t HtmlTokenizer::skip_white(std::size_t at) const {
  while (at < page_.size() && is_white(page_[at])) ++at;
  return at;
}

bool HtmlTokenizer::is_meant(HtmlToken& token, std::size_t at) {
  const auto unmeant =
      std::find_if_not(token.attributes.rbegin(), token.attributes.rend(), is_meant_attribute);
  // Others that come to these attributes would fail as well.
  for (auto each = unmeant; each != token.attributes.rend(); ++each) {
    if (!each->name.empty()) hopeless_.insert(static_cast<std::size_t>(each->name.data() - page_.data()));
  }
  if (unmeant != token.attributes.rend()) return false;
  const bool is_end = token.kind == HtmlToken::Kind::end_tag;
  const std::string name = in_lower_case(token.text);
  token.element = find_element(name);
  if (is_end && (token.text.size() > 1 || !token.attributes.empty())) return token.attributes.empty();
  const bool is_known = token.element.kind != ElementKind::unknown;
  if (is_end) return is_known;
  if (name == "p" && (at == 0 || has_tags_ || has_end_tag("p"))) return true;
  // 当a<bc d=5时,e>3
  const bool may_be_letters = !is_known || name.size() == 1;
  const auto is_of_text = [](const HtmlAttribute& attribute) {
    return attribute.has_value && !attribute.is_quoted && !is_ascii(attribute.value);
  };
  if (may_be_letters && std::ranges::any_of(token.attributes, is_of_text)) return has_end_tag(name);
  if (is_known && (name.size() > 1 || !token.attributes.empty() || token.self_closing)) return true;
  if (!is_known && name.size() > 1 && !token.attributes.empty()) return true;
  return (is_known || name.size() > 1) && has_end_tag(name);
}

bool HtmlTokenizer::has_end_tag(std::string_view name) {
  if (!end_tags_) {
    end_tags_.emplace();
    for (std::size_t at = page_.find("</"); at != not_found; at = page_.find("</", at + 2)) {
      std::size_t end = at + 2;
      while (end < page_.size() && is_name_character(page_[end])) ++end;
      if (end < page_.size() && page_[end] == '>') {
        end_tags_->insert(in_lower_case(page_.substr(at + 2, end - at - 2)));
      }
    }
  }
  return end_tags_->contains(std::string(name));
}

bool HtmlTokenizer::read_raw(std::string_view name, bool has_references) {
  if (unclosed_raw_.contains(std::string(name))) return false;
  const std::size_t end = end_of_raw(name);
  if (end == not_found && reading_ == Reading::caution) {
    unclosed_raw_.emplace(name);
    return false;
  }
  raw_end_ = std::min(end, page_.size());
  raw_has_references_ = has_references;
  return true;
}

std::size_t HtmlTokenizer::end_of_raw(std::string_view name) const {
  for (std::size_t at = page_.find("</", at_); at != not_found; at = page_.find("</", at + 2)) {
    const std::size_t after = at + 2 + name.size();
    if (after >= page_.size() || !same_name(page_.substr(at + 2, name.size()), name)) continue;
    if (is_white(page_[after]) || page_[after] == '/' || page_[after] == '>') return at;
  }
  return not_found;
}

}  // namespace qdedup::markup
