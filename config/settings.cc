#include "config/settings.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <toml++/toml.h>

#include "schedule/schedule.h"

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

using Problem = std::optional<std::string>;

// A key of the config: how its value is read into the settings, and how it is written.
struct Key {
  std::string name;
  std::function<Problem(const toml::node&)> read;  // returns what is wrong with the value
  std::function<std::string()> text;               // as TOML
};

template <class Value>
std::string toml_text(const Value& value) {
  std::ostringstream out;
  out << toml::toml_formatter(value);
  return out.str();
}

std::string toml_string(const std::string& text) { return toml_text(toml::value<std::string>(text)); }

Problem read_integer(const toml::node& value, std::int64_t min, std::int64_t max, std::int64_t& target) {
  const auto* number = value.as_integer();
  if (number == nullptr || number->get() < min || number->get() > max) {
    return "must be a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  }
  target = number->get();
  return std::nullopt;
}

template <class Number>
Key integer(std::string name, Number& target, std::int64_t min, std::int64_t max) {
  return {std::move(name),
          [&target, min, max](const toml::node& value) {
            std::int64_t number = 0;
            Problem problem = read_integer(value, min, max, number);
            if (!problem) target = static_cast<Number>(number);
            return problem;
          },
          [&target] { return std::to_string(target); }};
}

// In MiB; the target is in bytes.
Key mebibytes(std::string name, std::uint64_t& target, std::int64_t min, std::int64_t max) {
  return {std::move(name),
          [&target, min, max](const toml::node& value) {
            std::int64_t number = 0;
            Problem problem = read_integer(value, min, max, number);
            if (!problem) target = static_cast<std::uint64_t>(number) << 20U;
            return problem;
          },
          [&target] { return std::to_string(target >> 20U); }};
}

Key duration(std::string name, std::chrono::seconds& target) {
  return {std::move(name),
          [&target](const toml::node& value) -> Problem {
            const auto* string = value.as_string();
            const std::optional<std::chrono::seconds> parsed =
                string == nullptr ? std::nullopt : parse_duration(string->get());
            if (!parsed) return R"(must be a time of a week at most, such as "90s", "10min", "1h" or "2d")";
            target = *parsed;
            return std::nullopt;
          },
          [&target] { return toml_string(to_string(target)); }};
}

// In the shortest form that reads back the same: 0.3, not 0.29999999999999999.
std::string score_text(double score) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score).ptr;
  const std::string digits(text.data(), end);
  const bool is_whole = digits.find_first_of(".e") == std::string::npos;
  return digits + (is_whole ? ".0" : "");
}

Key score(std::string name, double& target) {
  return {std::move(name),
          [&target](const toml::node& value) -> Problem {
            const std::optional<double> number = value.value<double>();
            if (!value.is_number() || !number || !std::isfinite(*number)) return "must be a finite number";
            target = *number;
            return std::nullopt;
          },
          [&target] { return score_text(target); }};
}

Key text(std::string name, std::string& target, Problem (*check)(const std::string& value)) {
  return {std::move(name),
          [&target, check](const toml::node& value) -> Problem {
            const auto* string = value.as_string();
            if (string == nullptr) return "must be a string";
            if (Problem problem = check(string->get())) return problem;
            target = string->get();
            return std::nullopt;
          },
          [&target] { return toml_string(target); }};
}

Key texts(std::string name, std::vector<std::string>& target) {
  return {std::move(name),
          [&target](const toml::node& value) -> Problem {
            const toml::array* array = value.as_array();
            if (array == nullptr) return "must be an array of strings";
            std::vector<std::string> strings;
            for (const toml::node& element : *array) {
              if (!element.is_string()) return "must be an array of strings";
              strings.push_back(element.as_string()->get());
            }
            target = std::move(strings);
            return std::nullopt;
          },
          [&target] {
            toml::array array;
            for (const std::string& each : target) array.push_back(each);
            return toml_text(array);
          }};
}

template <class Choice>
Key choice(std::string name, Choice& target, std::map<std::string, Choice> choices) {
  return {std::move(name),
          [&target, choices](const toml::node& value) -> Problem {
            const auto* string = value.as_string();
            const auto chosen = string == nullptr ? choices.end() : choices.find(string->get());
            if (chosen != choices.end()) {
              target = chosen->second;
              return std::nullopt;
            }
            std::string names;
            for (const auto& [each, unused] : choices)
              names += (names.empty() ? "\"" : " or \"") + each + "\"";
            return "must be " + names;
          },
          [&target, choices] {
            const auto is_chosen = [&](const auto& each) { return each.second == target; };
            return toml_string(std::ranges::find_if(choices, is_chosen)->first);
          }};
}

Key deletion_limit(std::string name, DeletionLimit& target) {
  return {std::move(name),
          [&target](const toml::node& value) -> Problem {
            constexpr std::int64_t large = 1'000'000'000;
            if (const auto* number = value.as_integer();
                number && number->get() >= 0 && number->get() <= large) {
              target = {DeletionLimit::Kind::count, static_cast<std::uint64_t>(number->get())};
              return std::nullopt;
            }
            const auto* string = value.as_string();
            const Result<DeletionLimit> limit = parse_deletion_limit(string == nullptr ? "" : string->get());
            if (!limit.ok()) return limit.error().message;
            target = *limit;
            return std::nullopt;
          },
          [&target] {
            return target.kind == DeletionLimit::Kind::count ? text_of(target) : toml_string(text_of(target));
          }};
}

Problem not_empty(const std::string& value) {
  return value.empty() ? Problem("must not be empty") : std::nullopt;
}

// A check of a text by what else reads it.
template <class Parsed>
Problem problem_of(const Result<Parsed>& parsed) {
  return parsed.ok() ? std::nullopt : std::optional(parsed.error().message);
}

Problem json_pointer(const std::string& value) {
  return problem_of(miner::LineParser::create(miner::LineFormat::object, value));
}

Problem recurrence(const std::string& value) { return problem_of(schedule::Recurrence::parse(value)); }

Problem time_zone(const std::string& value) {
  if (const auto problem = problem_of(schedule::TimeZone::find(value))) return "names " + *problem;
  return std::nullopt;
}

Problem listen_address(const std::string& value) {
  return value.empty() ? std::nullopt : problem_of(parse_listen_address(value));
}

Problem anything(const std::string& /*value*/) { return std::nullopt; }

struct Section {
  std::string name;
  std::vector<Key> keys;
};

// All keys, in the order in which they are written.
std::vector<Section> sections(Settings& settings) {
  constexpr std::int64_t large = 1'000'000'000;
  using miner::LineFormat;
  using refine::Similarity;
  return {
      {"logs",
       {texts("paths", settings.logs.paths),
        choice("format", settings.logs.format,
               {{"array", LineFormat::array}, {"object", LineFormat::object}}),
        text("pointer", settings.logs.pointer, json_pointer),
        integer("max_line_bytes", settings.logs.max_line_bytes, 64, large)}},
      {"selection",
       {score("min_top_score", settings.selection.min_top_score),
        score("min_score", settings.selection.min_score)}},
      {"merge", {integer("max_cluster_size", settings.merge.max_cluster_size, 2, 1'000'000)}},
      {"refine",
       {integer("min_similarity", settings.refine.min_similarity, 1, 100),
        choice("similarity", settings.refine.similarity,
               {{"levenshtein", Similarity::levenshtein}, {"lcs", Similarity::lcs}})}},
      {"tail",
       {integer("commit_lines", settings.tail.commit_lines, 1, 10'000'000),
        integer("commit_ms", settings.tail.commit_ms, 1, 60'000),
        integer("poll_seconds", settings.tail.poll_seconds, 1, 3600),
        integer("rotate_wait_seconds", settings.tail.rotate_wait_seconds, 0, 86'400)}},
      {"schedule",
       {text("every", settings.schedule.every, recurrence),
        text("time_zone", settings.schedule.time_zone, time_zone),
        duration("wait_for_logs", settings.schedule.wait_for_logs)}},
      {"review",
       {choice("auto_approve", settings.review.approve_safe, {{"none", false}, {"safe", true}}),
        deletion_limit("max_deletions_per_iteration", settings.review.max_deletions_per_iteration)}},
      {"http",
       {text("listen", settings.http.listen, listen_address),
        text("token_file", settings.http.token_file, anything), texts("hosts", settings.http.hosts)}},
      {"check", {mebibytes("memory_mb", settings.check.memory_bytes, 0, 1U << 20U)}},
      {"state",
       {text("folder", settings.state.folder, not_empty),
        integer("kept_iterations", settings.state.kept_iterations, 0, large),
        integer("idle_lease_seconds", settings.state.idle_lease_seconds, 1, 604'800)}},
      {"resources",
       {integer("threads", settings.resources.threads, 0, 1024),
        mebibytes("memory_mb", settings.resources.memory_bytes, 16, 1U << 20U)}},
  };
}

void read_section(const Section& section, const toml::table& table, Problems& problems) {
  for (const auto& [key, value] : table) {
    const auto known = std::ranges::find(section.keys, key.str(), &Key::name);
    if (known == section.keys.end()) {
      problems.add(key.source().begin,
                   "unknown key \"" + std::string(key.str()) + "\" in [" + section.name + "]");
    } else if (const Problem problem = known->read(value)) {
      problems.add(value.source().begin, section.name + "." + known->name + " " + *problem);
    }
  }
}

void read_config(const toml::table& config, Settings& settings, Problems& problems) {
  const std::vector<Section> known = sections(settings);
  for (const auto& [key, value] : config) {
    const std::string name(key.str());
    const auto section = std::ranges::find(known, name, &Section::name);
    if (section == known.end()) {
      problems.add(key.source().begin, value.is_table() ? "unknown section [" + name + "]"
                                                        : "key \"" + name + "\" stands in no section");
    } else if (const toml::table* table = value.as_table()) {
      read_section(*section, *table, problems);
    } else {
      problems.add(value.source().begin, "[" + name + "] is a section");
    }
  }
}

// What no key shows by itself.
void check_together(const toml::table& config, const Settings& settings, Problems& problems) {
  const HttpSettings& http = settings.http;
  if (http.listen.empty() || (!http.token_file.empty() && !http.hosts.empty())) return;
  problems.add(config["http"]["listen"].node()->source().begin,
               "http.listen needs http.token_file and http.hosts");
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) return errno_error(path, EISDIR);
  std::ifstream file(path, std::ios::binary);
  if (!file) return errno_error(path, errno);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return Error{ErrorCode::io, path + ": cannot be read"};
  return text;
}

Result<Settings> parse_settings(std::string_view text, const std::string& source) {
  Problems problems(source);
  Settings settings;
  try {
    const toml::table config = toml::parse(text);
    read_config(config, settings, problems);
    check_together(config, settings, problems);
  } catch (const toml::parse_error& error) {
    problems.add(error.source().begin, std::string(error.description()));
  }
  if (!problems.none()) return problems.error();
  return settings;
}

Result<Settings> load_settings(const std::string& path) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string text, read_text_file(path));
  return parse_settings(text, path);
}

Result<Settings> load_settings(const std::string& path, const std::string& state_folder) {
  QDEDUP_ASSIGN_OR_RETURN(Settings settings, path.empty() ? Settings() : load_settings(path));
  if (!state_folder.empty()) settings.state.folder = state_folder;
  const std::string& folder = settings.state.folder;
  std::error_code failure;
  if (std::filesystem::exists(folder, failure) && !std::filesystem::is_directory(folder, failure)) {
    return Error{ErrorCode::no_input, folder + ": is not a folder, so no state can be in it"};
  }
  return settings;
}

std::string dump_settings(const Settings& settings) {
  Settings copy = settings;
  std::string text;
  for (const Section& section : sections(copy)) {
    text += (text.empty() ? "[" : "\n[") + section.name + "]\n";
    for (const Key& key : section.keys) text += key.name + " = " + key.text() + "\n";
  }
  return text;
}

}  // namespace qdedup::config
