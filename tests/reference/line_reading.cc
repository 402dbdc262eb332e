#include "tests/reference/line_reading.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace qdedup::reference {
namespace {

using miner::Rejection;
using nlohmann::json;

// Looks for what nlohmann's own tree builder would not tell: the depth, and numbers beyond a double.
class ShapeCheck : public nlohmann::json_sax<json> {
 public:
  bool too_deep = false;
  std::size_t overflow_end = 0;   // where a number beyond a double ends
  std::size_t overflow_size = 0;  // and how many bytes it has

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool key(string_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return open(); }
  bool start_array(std::size_t /*size*/) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string& token, const json::exception& error) override {
    constexpr int number_overflow = 406;
    if (error.id == number_overflow) {
      overflow_end = position;
      overflow_size = token.size();
    }
    return false;
  }

 private:
  bool open() {
    too_deep = ++depth_ > miner::max_nesting;
    return !too_deep;
  }
  bool close() {
    --depth_;
    return true;
  }

  int depth_ = 0;
};

bool is_blank(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Parses `text`. Numbers beyond a double, which nlohmann takes for an error, become strings: neither is an id
// or a score.
std::optional<Rejection> parse(std::string text, json& value) {
  std::replace(text.begin(), text.end(), '\0', '\x01');  // NUL would end nlohmann's input
  while (true) {
    ShapeCheck check;
    if (json::sax_parse(text, &check)) break;
    if (check.too_deep) return Rejection::too_deep;
    if (check.overflow_size == 0) return Rejection::bad_json;
    text.replace(check.overflow_end - check.overflow_size, check.overflow_size, "\"\"");
  }
  value = json::parse(text);
  return std::nullopt;
}

const json* find(const json& value, std::string_view pointer) {
  try {
    const json::json_pointer path{std::string(pointer)};
    return value.contains(path) ? &value.at(path) : nullptr;
  } catch (const json::exception&) {  // an array index beyond 64 bits
    return nullptr;
  }
}

std::optional<Rejection> read_pair(const json& value, miner::ScoredId& pair) {
  if (!value.is_array() || value.size() != 2) return Rejection::bad_pair;
  if (!value[0].is_number_unsigned()) return Rejection::bad_id;
  const auto id = value[0].get<std::uint64_t>();
  if (id < min_question_id || id > max_question_id) return Rejection::bad_id;
  if (!value[1].is_number()) return Rejection::bad_score;
  pair = {static_cast<QuestionId>(id), value[1].get<double>()};
  return std::nullopt;
}

}  // namespace

LineReading read_line(miner::LineFormat format, std::string_view pointer, std::string_view line) {
  if (is_blank(line)) return {Rejection::blank, {}};
  json value;
  if (const auto rejection = parse(std::string(line), value)) return {rejection, {}};
  const json* const list = find(value, format == miner::LineFormat::object ? pointer : "");
  if (list == nullptr) return {Rejection::no_results, {}};
  if (!list->is_array()) return {Rejection::not_a_list, {}};
  LineReading reading;
  for (const json& element : *list) {
    miner::ScoredId pair{};
    if (const auto rejection = read_pair(element, pair)) return {rejection, {}};
    reading.pairs.push_back(pair);
  }
  return reading;
}

std::optional<miner::Rejection> coarse(std::optional<miner::Rejection> rejection) {
  const bool not_json = rejection == Rejection::nul_byte || rejection == Rejection::bad_utf8 ||
                        rejection == Rejection::trailing_data;
  return not_json ? Rejection::bad_json : rejection;
}

}  // namespace qdedup::reference
