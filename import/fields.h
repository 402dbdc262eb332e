#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/question_id.h"
#include "import/question_reader.h"

namespace qdedup::import {

// Every reason that a RowError can have.
namespace reason {
inline constexpr std::string_view bad_json = "not valid JSON";
inline constexpr std::string_view not_an_object = "not a JSON object";
inline constexpr std::string_view not_utf8 = "not UTF-8";
inline constexpr std::string_view too_long = "row is too long";
inline constexpr std::string_view field_count = "wrong number of fields";
inline constexpr std::string_view stray_quote = "stray quote";
inline constexpr std::string_view open_quote = "quote is not closed";
inline constexpr std::string_view no_id = "id is missing";
inline constexpr std::string_view bad_id = "id is not an integer from 1 to 2^63-1";
inline constexpr std::string_view no_text = "text is missing";
inline constexpr std::string_view bad_text = "text is not a string";
inline constexpr std::string_view nul_in_text = "text contains NUL";
inline constexpr std::string_view text_not_utf8 = "text is not UTF-8";
inline constexpr std::string_view bad_answer = "answer is neither a string nor a number";
inline constexpr std::string_view nul_in_answer = "answer contains NUL";
inline constexpr std::string_view answer_not_utf8 = "answer is not UTF-8";
}  // namespace reason

// `found` shortened to some `longest` bytes, with question marks for what may not be printed.
[[nodiscard]] std::string excerpt(std::string_view found, std::size_t longest = 40);

// With an excerpt of what was found.
[[nodiscard]] RowError row_error(std::string_view reason, std::string_view found = {});

// Decimal digits and nothing else; leading zeros are passed over.
[[nodiscard]] std::optional<QuestionId> parse_id(std::string_view digits);

// What is wrong with a text or an answer, if anything is.
[[nodiscard]] std::optional<RowError> check_text(std::string_view text);
[[nodiscard]] std::optional<RowError> check_answer(std::string_view answer);

// Without the spaces, tabs and carriage returns at either end.
[[nodiscard]] std::string_view without_blanks(std::string_view line);

}  // namespace qdedup::import
