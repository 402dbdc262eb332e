#include "import/json_lines_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "import/question_reader.h"

namespace qdedup::import {
namespace {

using nlohmann::json;

struct Field {
  enum class Kind { missing, null, string, integer, number, other };
  Kind kind = Kind::missing;
  std::string text;  // of a string its content, of a number its digits
};

// Takes the fields of a question from the events of nlohmann's parser; false stops it.
class QuestionEvents final : public nlohmann::json_sax<json> {
 public:
  Field id;
  Field text;
  Field answer;
  bool is_object = false;
  std::size_t error_position = 0;

  bool null() override { return take({Field::Kind::null, "null"}); }
  bool boolean(bool value) override { return take({Field::Kind::other, value ? "true" : "false"}); }
  bool number_integer(std::int64_t value) override {
    return take({Field::Kind::integer, std::to_string(value)});
  }
  bool number_unsigned(std::uint64_t value) override {
    return take({Field::Kind::integer, std::to_string(value)});
  }
  bool number_float(double /*value*/, const std::string& digits) override {
    return take({Field::Kind::number, digits});
  }
  bool string(std::string& value) override { return take({Field::Kind::string, std::move(value)}); }
  bool binary(json::binary_t& /*value*/) override { return false; }
  bool key(std::string& name) override {
    if (depth_ == 1) field_ = field_of(name);
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    if (depth_ == 0) is_object = true;
    take({Field::Kind::other, "{…}"});
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    take({Field::Kind::other, "[…]"});
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const json::exception& /*error*/) override {
    error_position = position;
    return false;
  }

 private:
  Field* field_of(std::string_view name) {
    if (name == "id") return &id;
    if (name == "text") return &text;
    return name == "answer" ? &answer : nullptr;
  }

  bool take(Field value) {
    if (depth_ == 1 && field_ != nullptr) *field_ = std::move(value);
    return true;
  }

  std::size_t depth_ = 0;
  Field* field_ = nullptr;  // that the last key of the question names
};

std::variant<QuestionId, RowError> id_of(const Field& field) {
  if (field.kind == Field::Kind::missing) return row_error(reason::no_id);
  const auto id = field.kind == Field::Kind::integer ? parse_id(field.text) : std::nullopt;
  if (!id) return row_error(reason::bad_id, field.text);
  return *id;
}

std::optional<RowError> problem_of_text(const Field& field) {
  if (field.kind == Field::Kind::missing) return row_error(reason::no_text);
  if (field.kind != Field::Kind::string) return row_error(reason::bad_text, field.text);
  return check_text(field.text);
}

std::optional<RowError> problem_of_answer(const Field& field) {
  if (field.kind == Field::Kind::other) return row_error(reason::bad_answer, field.text);
  return check_answer(field.text);
}

std::variant<Question, RowError> to_question(QuestionEvents& fields, RowUse use) {
  auto id = id_of(fields.id);
  if (auto* error = std::get_if<RowError>(&id)) return std::move(*error);
  Question question;
  question.id = std::get<QuestionId>(id);
  if (use == RowUse::id) return question;
  if (auto error = problem_of_text(fields.text)) return *std::move(error);
  if (auto error = problem_of_answer(fields.answer)) return *std::move(error);
  question.text = std::move(fields.text.text);
  const bool answered = fields.answer.kind != Field::Kind::missing && fields.answer.kind != Field::Kind::null;
  if (answered) question.answer = std::move(fields.answer.text);
  return question;
}

// A line that is written in the plain way, {"id":7,"text":"…"} with or without spaces after colon and comma,
// and nothing escaped; most are. Of all others: nothing, and nlohmann's parser has to look at them.
class PlainLine {
 public:
  explicit PlainLine(std::string_view line) : rest_(line) {}

  std::optional<Question> question() {
    Question question;
    if (!take(R"({"id":)") || !take_id(question.id)) return std::nullopt;
    if (!take(",") || !take(R"("text":)") || !take("\"")) return std::nullopt;
    const std::size_t length = rest_.size() < 2 ? 0 : rest_.size() - 2;
    const std::string_view text = rest_.substr(0, length);
    if (rest_.substr(length) != "\"}" || needs_parser(text)) return std::nullopt;
    question.text = text;
    return question;
  }

 private:
  // Whether there is a control character, a quote or a backslash. Eight bytes at a time.
  static bool needs_parser(std::string_view text) {
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data(), sizeof word);
      if (any_needs_parser(word)) return true;
    }
    std::uint64_t word = every_byte(' ');
    std::memcpy(&word, text.data(), text.size());
    return any_needs_parser(word);
  }

  static constexpr std::uint64_t every_byte(unsigned char byte) { return 0x0101010101010101U * byte; }

  // A byte below 0x80 that subtracting makes negative is less than what is subtracted. What is borrowed from
  // a byte by the one below it misleads only where that one is less itself.
  static bool any_needs_parser(std::uint64_t word) {
    const auto any_below = [](std::uint64_t bytes, unsigned char limit) {
      return (bytes - every_byte(limit)) & ~bytes & every_byte(0x80);
    };
    return (any_below(word, 0x20) | any_below(word ^ every_byte('"'), 1) |
            any_below(word ^ every_byte('\\'), 1)) != 0;
  }

  // A word, and the space that may follow.
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    if (!word.ends_with('"') && rest_.starts_with(' ')) rest_.remove_prefix(1);
    return true;
  }

  bool take_id(QuestionId& id) {
    const std::size_t length = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (length == 0 || rest_.front() == '0') return false;
    const auto found = parse_id(rest_.substr(0, length));
    rest_.remove_prefix(length);
    id = found.value_or(0);
    return found.has_value();
  }

  std::string_view rest_;
};

}  // namespace

std::variant<Question, RowError> parse_json_question(std::string_view line, RowUse use) {
  if (!is_utf8(line)) return row_error(reason::not_utf8);
  if (use == RowUse::question) {
    if (auto question = PlainLine(line).question()) return *std::move(question);
  }
  if (line.find('\0') != std::string_view::npos)
    return row_error(reason::bad_json, "NUL byte");  // an end to nlohmann
  QuestionEvents events;
  if (!json::sax_parse(line.begin(), line.end(), &events)) {
    return row_error(reason::bad_json, "at byte " + std::to_string(events.error_position));
  }
  if (!events.is_object) return row_error(reason::not_an_object);
  return to_question(events, use);
}

JsonLinesReader::JsonLinesReader(LineReader lines, RowUse use) : lines_(std::move(lines)), use_(use) {}

Result<std::optional<Row>> JsonLinesReader::next() {
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines_.next());
    if (!more) return std::optional<Row>();
    if (lines_.too_long()) return std::optional(Row{lines_.number(), row_error(reason::too_long)});
    if (without_blanks(lines_.text()).empty()) continue;
    Row row = {lines_.number(), {}};
    std::visit([&](auto&& content) { row.content = std::forward<decltype(content)>(content); },
               parse_json_question(lines_.text(), use_));
    return std::optional(std::move(row));
  }
}

}  // namespace qdedup::import
