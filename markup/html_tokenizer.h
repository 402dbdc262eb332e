#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "markup/byte_set.h"
#include "markup/tables.h"

namespace qdedup::markup {

// As it is written; see decoded().
struct HtmlAttribute {
  std::string_view name;
  std::string_view value;
  bool has_value = false;
  bool is_quoted = false;
};

// A piece of a page. All views are into the page.
struct HtmlToken {
  enum class Kind : std::uint8_t { text, start_tag, end_tag, comment, doctype };

  Kind kind = Kind::text;
  std::string_view text;        // the text, the content of a comment, or the name of a tag, as written
  bool has_references = false;  // in a text, character references are to be decoded
  bool self_closing = false;
  ElementRule element = {};  // of a tag; only with caution
  std::vector<HtmlAttribute> attributes;

  // The attribute's value as it is written, the first if there are several; nothing for none. `name` is in
  // lower case.
  [[nodiscard]] std::optional<std::string_view> attribute(std::string_view name) const;
};

// Cuts a page into tokens as the HTML Living Standard says (13.2.5 "Tokenization"), but for sections of CDATA
// and the escapes within scripts. Linear in the page, whatever it holds.
//
// A page may be a plain text with `a<b and c>d` in it. Read with `caution`, what does not look like a tag
// that somebody meant is text: an unknown attribute without value, a name of one letter, or one unknown to
// HTML, that no end tag has, a `<` in a value without quotes, a tag or a comment that is not closed. What a
// section of CDATA holds is read as all else.
class HtmlTokenizer {
 public:
  enum class Reading : std::uint8_t { standard, caution };

  HtmlTokenizer(std::string_view page, Reading reading) : page_(page), reading_(reading) {}

  // The next token; false at the end. What `token` was before is reused.
  bool next(HtmlToken& token);

  // Where in the page the next token begins.
  [[nodiscard]] std::size_t position() const { return at_; }

  // All up to the end tag of this name, which is in lower case, is one text. With caution, only if there is
  // such an end tag; else false.
  bool read_raw(std::string_view name, bool has_references);

 private:
  bool find_markup();
  bool ends_section(std::size_t limit);
  std::size_t read_markup(HtmlToken& token, std::size_t at);
  std::size_t read_tag(HtmlToken& token, std::size_t at);
  std::size_t end_of_name(const ByteSet& ends, std::size_t at) const;
  bool is_behind(std::size_t at, char wanted);
  std::size_t read_attributes(HtmlToken& token, std::size_t at);
  std::size_t read_value(HtmlAttribute& attribute, std::size_t at);
  std::size_t read_declaration(HtmlToken& token, std::size_t at);
  std::size_t read_comment(HtmlToken& token, std::size_t at);
  std::size_t read_bogus_comment(HtmlToken& token, std::size_t begin);
  std::size_t skip_white(std::size_t at) const;
  bool take_text(HtmlToken& token, std::size_t end);
  bool is_meant(HtmlToken& token, std::size_t at);
  bool has_end_tag(std::string_view name);
  std::size_t end_of_raw(std::string_view name) const;

  std::string_view page_;
  Reading reading_;
  std::size_t at_ = 0;
  HtmlToken markup_;  // what was found next,
  std::size_t markup_begin_ = 0;
  std::size_t markup_end_ = 0;  // 0 for nothing yet
  std::size_t raw_end_ = 0;     // up to here all is text
  bool raw_has_references_ = false;
  std::size_t section_end_ = 0;              // where that of CDATA which is open ends
  bool sections_end_ = false;                // no section of CDATA is closed from here on
  bool comments_end_ = false;                // no comment is
  bool has_tags_ = false;                    // there was one before
  std::optional<std::size_t> last_closing_;  // the last ">", once it was looked for
  std::optional<std::size_t> last_double_quote_;
  std::optional<std::size_t> last_single_quote_;
  std::unordered_set<std::size_t> hopeless_;                 // attributes of no tag, by where they begin
  std::optional<std::unordered_set<std::string>> end_tags_;  // the names that any end tag of the page has
  std::unordered_set<std::string> unclosed_raw_;
};

// Appends a text with its character references decoded (13.2.5.72 and on), NUL as U+FFFD.
void append_decoded(std::string& to, std::string_view text, bool in_attribute = false);

// The same for the value of an attribute.
std::string decoded(std::string_view value);

}  // namespace qdedup::markup
