#include "base/json.h"

#include <stdexcept>

#include <nlohmann/json.hpp>

namespace qdedup {

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

namespace {

// Whether a text is JSON that memory and the stack have room for.
class RoomCheck : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return take(); }
  bool boolean(bool) override { return take(); }
  bool number_integer(number_integer_t) override { return take(); }
  bool number_unsigned(number_unsigned_t) override { return take(); }
  bool number_float(number_float_t, const string_t&) override { return take(); }
  bool string(string_t&) override { return take(); }
  bool binary(binary_t&) override { return take(); }
  bool key(string_t&) override { return take(); }
  bool start_object(std::size_t) override { return begin(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool take() { return ++values_ <= max_json_values; }
  bool begin() { return take() && ++depth_ <= max_json_depth; }
  bool end() {
    --depth_;
    return true;
  }

  std::size_t values_ = 0;
  std::size_t depth_ = 0;
};

// A number itself; of anything else, which may be long, what it is.
std::string shown(const nlohmann::json& value) {
  return value.is_number() ? value.dump() : value.type_name();
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
  RoomCheck check;
  const bool ends_early = text.find('\0') != std::string_view::npos;  // for the library
  if (ends_early || !nlohmann::json::sax_parse(text, &check)) return nlohmann::json::value_t::discarded;
  return nlohmann::json::parse(text, nullptr, false);
}

const std::string* string_at(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? nullptr : found->get_ptr<const std::string*>();
}

const std::string* string_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? nullptr : found->get_ptr<const std::string*>();
}

Status read_json(std::string_view text, const std::function<void(const nlohmann::json& json)>& read) {
  const nlohmann::json json = parse_json(text);
  if (json.is_discarded()) {
    return Error{ErrorCode::data, "is not JSON, or has more than " + std::to_string(max_json_values) +
                                      " values or " + std::to_string(max_json_depth) + " levels"};
  }
  try {
    read(json);
    return {};
  } catch (const nlohmann::json::exception& exception) {
    return Error{ErrorCode::data, exception.what()};
  } catch (const std::invalid_argument& exception) {
    return Error{ErrorCode::data, exception.what()};
  }
}

std::uint64_t whole_number(const nlohmann::json& value, std::uint64_t max) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max)
    throw std::invalid_argument(shown(value) + " is not a whole number up to " + std::to_string(max));
  return value.get<std::uint64_t>();
}

bool is_question_id(const nlohmann::json& value) {
  if (!value.is_number_unsigned()) return false;
  const auto number = value.get<std::uint64_t>();
  return number >= std::uint64_t{min_question_id} && number <= std::uint64_t{max_question_id};
}

QuestionId question_id(const nlohmann::json& value) {
  if (!is_question_id(value)) throw std::invalid_argument(shown(value) + " is no id of a question");
  return value.get<QuestionId>();
}

Json parse_own_json(std::string_view text) { return Json::parse(text, nullptr, false); }

}  // namespace qdedup
