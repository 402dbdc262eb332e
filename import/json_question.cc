#include "import/json_question.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/utf8.h"
#include "import/arrival_time.h"
#include "import/question_reader.h"

namespace qdedup::import {
namespace {

using nlohmann::json;

struct Member {
  std::string key;  // empty in a list
  std::string value;
};

struct Field {
  enum class Kind { missing, null, string, integer, number, list, object, other };
  Kind kind = Kind::missing;
  std::string text;             // of a string its content, of a number its digits
  std::vector<Member> members;  // of a list or object of strings, numbers and nulls, which are empty

  [[nodiscard]] bool is_absent() const { return kind == Kind::missing || kind == Kind::null; }
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::number; }
  [[nodiscard]] bool has_members() const { return kind == Kind::list || kind == Kind::object; }
};

// Collects the fields of a question from the events of nlohmann's parser; returning false stops it.
class QuestionEvents final : public nlohmann::json_sax<json> {
 public:
  explicit QuestionEvents(const Columns& columns) : texts(columns.texts.size()), columns_(columns) {}

  Field id;
  std::vector<Field> texts;
  Field answer;
  Field images;
  Field arrived_at;
  bool is_object = false;
  std::size_t error_position = 0;

  bool null() override { return take(Field::Kind::null, "null"); }
  bool boolean(bool value) override { return take(Field::Kind::other, value ? "true" : "false"); }
  bool number_integer(std::int64_t value) override {
    return take(Field::Kind::integer, std::to_string(value));
  }
  bool number_unsigned(std::uint64_t value) override {
    return take(Field::Kind::integer, std::to_string(value));
  }
  bool number_float(double /*value*/, const std::string& digits) override {
    return take(Field::Kind::number, digits);
  }
  bool string(std::string& value) override { return take(Field::Kind::string, std::move(value)); }
  bool binary(json::binary_t& /*value*/) override { return false; }
  bool key(std::string& name) override {
    if (depth_ == 1) field_ = field_of(name);
    if (depth_ == 2) key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    if (depth_ == 0) is_object = true;
    return start(Field::Kind::object, "{…}");
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t /*size*/) override { return start(Field::Kind::list, "[…]"); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const json::exception& /*error*/) override {
    error_position = position;
    return false;
  }

 private:
  Field* field_of(std::string_view name) {
    if (name == columns_.id) return &id;
    const auto text = std::ranges::find(columns_.texts, name);
    if (text != columns_.texts.end()) return &texts[static_cast<std::size_t>(text - columns_.texts.begin())];
    if (name == columns_.answer_name()) return &answer;
    if (name == "arrived_at") return &arrived_at;
    return name == "images" ? &images : nullptr;
  }

  bool start(Field::Kind kind, std::string shown) {
    take(kind, std::move(shown));
    ++depth_;
    key_.clear();
    return true;
  }

  bool end() {
    --depth_;
    return true;
  }

  bool take(Field::Kind kind, std::string value) {
    if (field_ == nullptr) return true;
    if (depth_ == 1) {
      *field_ = {kind, std::move(value), {}};
    } else if (depth_ == 2 && field_->has_members()) {
      take_member({kind, std::move(value), {}});
    }
    return true;
  }

  void take_member(Field value) {
    constexpr std::size_t max_members = 4096;
    if (value.kind == Field::Kind::null) value.text.clear();
    if (field_->members.size() == max_members) {
      field_->kind = Field::Kind::other;
      field_->text = "more than " + std::to_string(max_members) + " values";
    } else if (value.kind == Field::Kind::other || value.has_members()) {
      field_->kind = Field::Kind::other;
    } else {
      field_->members.push_back({key_, std::move(value.text)});
    }
  }

  const Columns& columns_;
  std::size_t depth_ = 0;
  Field* field_ = nullptr;  // the one that the question's last key names
  std::string key_;         // in an object within the field
};

std::variant<QuestionId, RowError> id_of(const Field& field) {
  if (field.kind == Field::Kind::missing) return row_error(reason::no_id);
  const bool is_integer = field.kind == Field::Kind::integer || field.kind == Field::Kind::string;
  const auto id = is_integer ? parse_id(field.text) : std::nullopt;
  if (!id) return row_error(reason::bad_id, field.text);
  return *id;
}

std::optional<RowError> problem_of_text(const Field& field, bool alone) {
  const bool is_text = field.kind == Field::Kind::string || field.has_members();
  if (!is_text && (alone || !(field.is_absent() || field.is_number()))) {
    return row_error(reason::bad_text, field.text);
  }
  if (field.kind == Field::Kind::string) return check_text(field.text);
  for (const Member& member : field.members) {
    if (auto error = check_text(member.value)) return error;
  }
  return std::nullopt;
}

// For lists under any key but the first.
std::string option_letter(std::size_t index) {
  constexpr std::size_t letters = 26;
  return index < letters ? std::string(1, static_cast<char>('A' + index)) : std::string();
}

void add_text(Field& field, std::string_view name, std::string& text) {
  if (field.is_absent()) return;
  if (!field.has_members()) add_line(text, name, std::move(field.text));
  for (std::size_t i = 0; i < field.members.size(); ++i) {
    const bool is_option = field.kind == Field::Kind::list && !name.empty();
    Member& member = field.members[i];
    add_line(text, is_option ? option_letter(i) : member.key, std::move(member.value));
  }
}

std::optional<RowError> take_text(std::vector<Field>& fields, const Columns& columns, std::string& text) {
  const auto is_missing = [](const Field& field) { return field.kind == Field::Kind::missing; };
  if (std::ranges::all_of(fields, is_missing)) return row_error(reason::no_text);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (auto error = problem_of_text(fields[i], fields.size() == 1)) return error;
    add_text(fields[i], i == 0 ? std::string_view() : columns.texts[i], text);
  }
  return std::nullopt;
}

std::optional<RowError> problem_of_answer(const Field& field) {
  if (field.kind == Field::Kind::other || field.has_members())
    return row_error(reason::bad_answer, field.text);
  return check_answer(field.text);
}

std::vector<std::string> images_of(Field& field) {
  if (field.kind == Field::Kind::string) return image_names(field.text);
  std::vector<std::string> names;
  for (Member& member : field.members) add_image(names, std::move(member.value));
  return names;
}

std::optional<RowError> take_arrival(const Field& field, std::optional<std::int64_t>& arrived_at) {
  const bool is_text = field.kind == Field::Kind::string || field.kind == Field::Kind::integer;
  if (field.is_absent() || (is_text && field.text.empty())) return std::nullopt;
  if (is_text) arrived_at = parse_arrival_time(field.text);
  return arrived_at ? std::nullopt : std::optional(row_error(reason::bad_arrival, field.text));
}

std::variant<Question, RowError> to_question(QuestionEvents& fields, const Columns& columns, RowUse use) {
  auto id = id_of(fields.id);
  if (auto* error = std::get_if<RowError>(&id)) return std::move(*error);
  Question question;
  question.id = std::get<QuestionId>(id);
  if (use == RowUse::id) return question;
  if (auto error = take_text(fields.texts, columns, question.text)) return *std::move(error);
  if (auto error = problem_of_answer(fields.answer)) return *std::move(error);
  if (!fields.answer.is_absent()) question.answer = std::move(fields.answer.text);
  question.images = images_of(fields.images);
  if (auto error = check_images(question.images)) return *std::move(error);
  if (auto error = take_arrival(fields.arrived_at, question.arrived_at)) return *std::move(error);
  return question;
}

bool are_plain(const Columns& columns) {
  return columns.id == "id" && columns.texts.size() == 1 && columns.texts.front() == "text";
}

// Whether there is a control character, a quote or a backslash. Checks eight bytes at a time.
bool needs_parser(std::string_view text) {
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    if (has_json_special(word)) return true;
  }
  std::uint64_t word = 0x2020202020202020U;
  std::memcpy(&word, text.data(), text.size());
  return has_json_special(word);
}

// Reads a line in the plain form, {"id":7,"text":"…"}, with or without spaces after colon and comma, and
// without escapes, as most are. For any other line returns none, and nlohmann's parser must be used.
std::optional<Question> plain_question(std::string_view line) {
  const auto take = [&line](std::string_view word) {
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    if (!word.ends_with('"') && line.starts_with(' ')) line.remove_prefix(1);
    return true;
  };
  if (!take(R"({"id":)") || line.starts_with('0')) return std::nullopt;
  const std::string_view digits = line.substr(0, line.find_first_not_of("0123456789"));
  const auto id = parse_id(digits);
  line.remove_prefix(digits.size());
  if (!id || !take(",") || !take(R"("text":)") || !take("\"") || !line.ends_with("\"}")) return std::nullopt;
  line.remove_suffix(std::string_view("\"}").size());
  if (needs_parser(line)) return std::nullopt;
  return Question{*id, std::string(line), {}};
}

}  // namespace

std::variant<Question, RowError> parse_json_question(std::string_view line, RowUse use,
                                                     const Columns& columns) {
  if (!is_utf8(line)) return row_error(reason::not_utf8);
  if (use == RowUse::question && are_plain(columns)) {
    if (auto question = plain_question(line)) return *std::move(question);
  }
  if (line.find('\0') != std::string_view::npos)
    return row_error(reason::bad_json, "NUL byte");  // would end nlohmann's input
  QuestionEvents events(columns);
  if (!json::sax_parse(line.begin(), line.end(), &events)) {
    return row_error(reason::bad_json, "at byte " + std::to_string(events.error_position));
  }
  if (!events.is_object) return row_error(reason::not_an_object);
  return to_question(events, columns, use);
}

}  // namespace qdedup::import
