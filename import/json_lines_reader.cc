#include "import/json_lines_reader.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "import/fields.h"

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

}  // namespace

std::variant<Question, RowError> parse_json_question(std::string_view line, RowUse use) {
  if (!is_utf8(line)) return row_error(reason::not_utf8);
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
    const auto more = lines_.next();
    if (!more.ok()) return more.error();
    if (!*more) return std::optional<Row>();
    if (lines_.too_long()) return std::optional(Row{lines_.number(), row_error(reason::too_long)});
    if (without_blanks(lines_.text()).empty()) continue;
    Row row = {lines_.number(), {}};
    std::visit([&](auto&& content) { row.content = std::forward<decltype(content)>(content); },
               parse_json_question(lines_.text(), use_));
    return std::optional(std::move(row));
  }
}

}  // namespace qdedup::import
