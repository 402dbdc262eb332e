#include "tests/reference/line_reading.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

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

// The number that a string holds, or else `value` itself.
json unquoted(const json& value) {
  if (!value.is_string()) return value;
  const auto text = value.get<std::string>();
  const bool has_other_bytes = text.find_first_not_of("0123456789+-.eE") != std::string::npos;
  return has_other_bytes ? value : json::parse(text, nullptr, false);
}

struct HitParts {
  const json* id = nullptr;
  const json* score = nullptr;
};

HitParts parts_of(const json& hit, const miner::LineShape& shape) {
  if (!shape.id.empty() || !shape.score.empty()) return {find(hit, shape.id), find(hit, shape.score)};
  if (!hit.is_array() || hit.size() != 2) return {};
  return {&hit[0], &hit[1]};
}

std::optional<Rejection> read_hit(const json& value, const miner::LineShape& shape, miner::ScoredId& hit) {
  const HitParts parts = parts_of(value, shape);
  if (parts.id == nullptr || parts.score == nullptr) return Rejection::bad_pair;
  const json id = shape.quoted_numbers ? unquoted(*parts.id) : *parts.id;
  const json score = shape.quoted_numbers ? unquoted(*parts.score) : *parts.score;
  if (!id.is_number_unsigned()) return Rejection::bad_id;
  const auto number = id.get<std::uint64_t>();
  if (number < min_question_id || number > max_question_id) return Rejection::bad_id;
  if (!score.is_number()) return Rejection::bad_score;
  hit = {static_cast<QuestionId>(number), score.get<double>()};
  return std::nullopt;
}

LineReading read_json(const miner::LineShape& shape, std::string_view line) {
  if (is_blank(line)) return {Rejection::blank, {}};
  json value;
  if (const auto rejection = parse(std::string(line), value)) return {rejection, {}};
  const json* const list = find(value, shape.format == miner::LineFormat::object ? shape.pointer : "");
  if (list == nullptr) return {Rejection::no_results, {}};
  if (!list->is_array()) return {Rejection::not_a_list, {}};
  LineReading reading;
  for (const json& element : *list) {
    miner::ScoredId hit{};
    if (const auto rejection = read_hit(element, shape, hit)) return {rejection, {}};
    reading.pairs.push_back(hit);
  }
  return reading;
}

// Tries everything from a [ to a ] as a line of its own.
LineReading read_embedded(const miner::LineShape& shape, std::string_view line) {
  if (is_blank(line)) return {Rejection::blank, {}};
  miner::LineShape alone = shape;
  alone.format = miner::LineFormat::array;
  bool has_empty_list = false;
  for (std::size_t begin = 0; begin < line.size(); ++begin) {
    if (line[begin] != '[') continue;
    for (std::size_t end = begin + 1; end < line.size(); ++end) {
      if (line[end] != ']') continue;
      LineReading list = read_json(alone, line.substr(begin, end + 1 - begin));
      if (!list.rejection && !list.pairs.empty()) return list;
      has_empty_list = has_empty_list || !list.rejection;
    }
  }
  return {has_empty_list ? std::nullopt : std::optional(Rejection::no_results), {}};
}

// Takes out the first of those with the highest score, again and again.
std::vector<miner::ScoredId> best_first(std::vector<miner::ScoredId> pairs) {
  std::vector<miner::ScoredId> sorted;
  while (!pairs.empty()) {
    auto best = pairs.begin();
    for (auto pair = pairs.begin(); pair != pairs.end(); ++pair) {
      if (pair->score > best->score) best = pair;
    }
    sorted.push_back(*best);
    pairs.erase(best);
  }
  return sorted;
}

}  // namespace

LineReading read_line(const miner::LineShape& shape, std::string_view line) {
  const bool is_embedded = shape.format == miner::LineFormat::embedded;
  LineReading reading = is_embedded ? read_embedded(shape, line) : read_json(shape, line);
  if (shape.by_score) reading.pairs = best_first(std::move(reading.pairs));
  return reading;
}

std::optional<miner::Rejection> coarse(std::optional<miner::Rejection> rejection) {
  const bool not_json = rejection == Rejection::nul_byte || rejection == Rejection::bad_utf8 ||
                        rejection == Rejection::trailing_data;
  return not_json ? Rejection::bad_json : rejection;
}

}  // namespace qdedup::reference
