#include "import/fields.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/utf8.h"

namespace qdedup::import {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::string shortened(std::string_view found, std::size_t longest) {
  if (found.size() <= longest) return std::string(found);
  std::size_t length = longest;
  while (length > 0 && continues_character(found[length])) --length;
  return std::string(found.substr(0, length)) + "…";
}

std::string printable(std::string text) {
  const bool ascii_only = !is_utf8(text);
  const auto unprintable = [&](char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte < 0x20 || byte == 0x7F || (ascii_only && byte >= 0x80);
  };
  std::replace_if(text.begin(), text.end(), unprintable, '?');
  return text;
}

}  // namespace

std::string excerpt(std::string_view found, std::size_t longest) {
  return printable(shortened(found, longest));
}

RowError row_error(std::string_view reason, std::string_view found) {
  return {std::string(reason), excerpt(found)};
}

std::optional<QuestionId> parse_id(std::string_view digits) {
  QuestionId id = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, id);
  if (error != std::errc() || rest != end || id < min_question_id) return std::nullopt;
  return id;
}

std::optional<RowError> check_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return row_error(reason::nul_in_text, text);
  if (!is_utf8(text)) return row_error(reason::text_not_utf8, text);
  return std::nullopt;
}

std::optional<RowError> check_answer(std::string_view answer) {
  if (answer.find('\0') != std::string_view::npos) return row_error(reason::nul_in_answer, answer);
  if (!is_utf8(answer)) return row_error(reason::answer_not_utf8, answer);
  return std::nullopt;
}

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) + 1 - first);
}

}  // namespace qdedup::import
