#include "config/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include <toml++/toml.h>

#include "config/text_file.h"

namespace qdedup::config {
namespace {

// The problems of one config file, in the order in which they stand there.
class Problems {
 public:
  explicit Problems(std::string source) : source_(std::move(source)) {}

  void add(const toml::source_position& where, const std::string& what) {
    lines_.emplace(std::pair(where.line, where.column), what);
  }

  [[nodiscard]] bool none() const { return lines_.empty(); }

  [[nodiscard]] Error error() const {
    std::string message;
    for (const auto& [where, what] : lines_) {
      if (!message.empty()) message += '\n';
      message +=
          source_ + ':' + std::to_string(where.first) + ':' + std::to_string(where.second) + ": " + what;
    }
    return {ErrorCode::config, message};
  }

 private:
  std::string source_;
  std::multimap<std::pair<toml::source_index, toml::source_index>, std::string> lines_;
};

// Reads the value of one key, or tells what is wrong with it.
using ValueReader = std::function<std::optional<std::string>(const toml::node& value)>;

template <class Number>
ValueReader integer(Number& target, std::int64_t least, std::int64_t most) {
  return [&target, least, most](const toml::node& value) -> std::optional<std::string> {
    const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    const auto* number = value.as_integer();
    if (number == nullptr || number->get() < least || number->get() > most) return "must be " + range;
    target = static_cast<Number>(number->get());
    return std::nullopt;
  };
}

ValueReader score(double& target) {
  return [&target](const toml::node& value) -> std::optional<std::string> {
    const std::optional<double> number = value.value<double>();
    if (!value.is_number() || !number || !std::isfinite(*number)) return "must be a finite number";
    target = *number;
    return std::nullopt;
  };
}

ValueReader text(std::string& target, std::function<std::optional<std::string>(const std::string&)> check) {
  return [&target, check = std::move(check)](const toml::node& value) -> std::optional<std::string> {
    const auto* string = value.as_string();
    if (string == nullptr) return "must be a string";
    if (auto problem = check(string->get())) return problem;
    target = string->get();
    return std::nullopt;
  };
}

ValueReader texts(std::vector<std::string>& target) {
  return [&target](const toml::node& value) -> std::optional<std::string> {
    const toml::array* array = value.as_array();
    if (array == nullptr) return "must be an array of strings";
    std::vector<std::string> strings;
    for (const toml::node& element : *array) {
      if (!element.is_string()) return "must be an array of strings";
      strings.push_back(element.as_string()->get());
    }
    target = std::move(strings);
    return std::nullopt;
  };
}

template <class Choice>
ValueReader choice(Choice& target, std::map<std::string, Choice> choices) {
  return [&target, choices = std::move(choices)](const toml::node& value) -> std::optional<std::string> {
    const auto* string = value.as_string();
    const auto chosen = string == nullptr ? choices.end() : choices.find(string->get());
    if (chosen != choices.end()) {
      target = chosen->second;
      return std::nullopt;
    }
    std::string names;
    for (const auto& [name, unused] : choices) names += (names.empty() ? "\"" : " or \"") + name + "\"";
    return "must be " + names;
  };
}

std::optional<std::string> not_empty(const std::string& value) {
  return value.empty() ? std::optional<std::string>("must not be empty") : std::nullopt;
}

std::optional<std::string> json_pointer(const std::string& value) {
  const auto parser = miner::LineParser::create(miner::LineFormat::object, value);
  return parser.ok() ? std::nullopt : std::optional(parser.error().message);
}

bool is_time_of_day(std::string_view value) {
  const auto digit = [&](std::size_t i) { return value[i] >= '0' && value[i] <= '9'; };
  if (value.size() != 5 || !digit(0) || !digit(1) || value[2] != ':' || !digit(3) || !digit(4)) return false;
  return value.substr(0, 2) < "24" && value.substr(3) < "60";
}

std::optional<std::string> schedule(const std::string& value) {
  constexpr std::array<std::string_view, 8> days = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "daily"};
  if (value == "off" || value == "hourly") return std::nullopt;
  const std::size_t space = value.find(' ');
  const bool known_day = std::ranges::find(days, std::string_view(value).substr(0, space)) != days.end();
  if (space != std::string::npos && known_day && is_time_of_day(std::string_view(value).substr(space + 1))) {
    return std::nullopt;
  }
  return R"(must be "Sun 03:00" (or another day), "daily 03:00", "hourly" or "off")";
}

using Section = std::map<std::string, ValueReader>;

std::map<std::string, Section> sections(Settings& settings) {
  constexpr std::int64_t large = 1'000'000'000;
  std::map<std::string, Section> all;
  all["logs"] = {{"paths", texts(settings.logs.paths)},
                 {"format", choice(settings.logs.format, {{"array", miner::LineFormat::array},
                                                          {"object", miner::LineFormat::object}})},
                 {"pointer", text(settings.logs.pointer, json_pointer)},
                 {"max_line_bytes", integer(settings.logs.max_line_bytes, 64, large)}};
  all["selection"] = {{"min_top_score", score(settings.selection.min_top_score)},
                      {"min_score", score(settings.selection.min_score)}};
  all["merge"] = {{"max_cluster_size", integer(settings.merge.max_cluster_size, 2, 1'000'000)}};
  all["refine"] = {
      {"min_similarity", integer(settings.refine.min_similarity, 1, 100)},
      {"similarity", choice(settings.refine.similarity, {{"levenshtein", refine::Similarity::levenshtein},
                                                         {"lcs", refine::Similarity::lcs}})}};
  all["schedule"] = {{"every", text(settings.schedule.every, schedule)},
                     {"time_zone", text(settings.schedule.time_zone, not_empty)}};
  all["state"] = {{"folder", text(settings.state.folder, not_empty)},
                  {"kept_iterations", integer(settings.state.kept_iterations, 0, large)}};
  all["resources"] = {{"threads", integer(settings.resources.threads, 0, 1024)}};
  return all;
}

void read_section(const std::string& name, const toml::table& table, const Section& section,
                  Problems& problems) {
  for (const auto& [key, value] : table) {
    const auto reader = section.find(std::string(key.str()));
    if (reader == section.end()) {
      problems.add(key.source().begin, "unknown key \"" + std::string(key.str()) + "\" in [" + name + "]");
    } else if (const auto problem = reader->second(value)) {
      problems.add(value.source().begin, name + "." + reader->first + " " + *problem);
    }
  }
}

void read_config(const toml::table& config, Settings& settings, Problems& problems) {
  const std::map<std::string, Section> known = sections(settings);
  for (const auto& [key, value] : config) {
    const std::string name(key.str());
    const auto section = known.find(name);
    if (section == known.end()) {
      problems.add(key.source().begin, value.is_table() ? "unknown section [" + name + "]"
                                                        : "key \"" + name + "\" stands in no section");
    } else if (const toml::table* table = value.as_table()) {
      read_section(name, *table, section->second, problems);
    } else {
      problems.add(value.source().begin, "[" + name + "] is a section");
    }
  }
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, const std::string& source) {
  Problems problems(source);
  Settings settings;
  try {
    read_config(toml::parse(text), settings, problems);
  } catch (const toml::parse_error& error) {
    problems.add(error.source().begin, std::string(error.description()));
  }
  if (!problems.none()) return problems.error();
  return settings;
}

Result<Settings> load_settings(const std::string& path) {
  const Result<std::string> text = read_text_file(path);
  return text.ok() ? parse_settings(*text, path) : Result<Settings>(text.error());
}

}  // namespace qdedup::config
