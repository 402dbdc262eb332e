#include "config/settings.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include <toml++/toml.h>

#include "config/listen_address.h"
#include "config/text_file.h"
#include "schedule/recurrence.h"
#include "schedule/time_zone.h"

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

// In MiB; the target is in bytes.
ValueReader mebibytes(std::uint64_t& target, std::int64_t least, std::int64_t most) {
  return [&target, least, most](const toml::node& value) {
    auto problem = integer(target, least, most)(value);
    if (!problem) target <<= 20U;
    return problem;
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

ValueReader deletion_limit(DeletionLimit& target) {
  return [&target](const toml::node& value) -> std::optional<std::string> {
    constexpr std::int64_t large = 1'000'000'000;
    if (const auto* number = value.as_integer(); number && number->get() >= 0 && number->get() <= large) {
      target = {DeletionLimit::Kind::count, static_cast<std::uint64_t>(number->get())};
      return std::nullopt;
    }
    const auto* string = value.as_string();
    const Result<DeletionLimit> limit = parse_deletion_limit(string == nullptr ? "" : string->get());
    if (!limit.ok()) return limit.error().message;
    target = *limit;
    return std::nullopt;
  };
}

std::optional<std::string> not_empty(const std::string& value) {
  return value.empty() ? std::optional<std::string>("must not be empty") : std::nullopt;
}

// A check of a text by what else reads it.
template <class Parsed>
std::optional<std::string> problem_of(const Result<Parsed>& parsed) {
  return parsed.ok() ? std::nullopt : std::optional(parsed.error().message);
}

std::optional<std::string> json_pointer(const std::string& value) {
  return problem_of(miner::LineParser::create(miner::LineFormat::object, value));
}

std::optional<std::string> recurrence(const std::string& value) {
  return problem_of(schedule::Recurrence::parse(value));
}

std::optional<std::string> time_zone(const std::string& value) {
  if (const auto problem = problem_of(schedule::TimeZone::find(value))) return "names " + *problem;
  return std::nullopt;
}

std::optional<std::string> listen_address(const std::string& value) {
  return value.empty() ? std::nullopt : problem_of(parse_listen_address(value));
}

std::optional<std::string> anything(const std::string& /*value*/) { return std::nullopt; }

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
  all["tail"] = {{"commit_lines", integer(settings.tail.commit_lines, 1, 10'000'000)},
                 {"commit_ms", integer(settings.tail.commit_ms, 1, 60'000)},
                 {"poll_seconds", integer(settings.tail.poll_seconds, 1, 3600)},
                 {"rotate_wait_seconds", integer(settings.tail.rotate_wait_seconds, 0, 86'400)}};
  all["schedule"] = {{"every", text(settings.schedule.every, recurrence)},
                     {"time_zone", text(settings.schedule.time_zone, time_zone)}};
  all["review"] = {
      {"auto_approve", choice(settings.review.approve_safe, {{"none", false}, {"safe", true}})},
      {"max_deletions_per_iteration", deletion_limit(settings.review.max_deletions_per_iteration)}};
  all["http"] = {{"listen", text(settings.http.listen, listen_address)},
                 {"token_file", text(settings.http.token_file, anything)},
                 {"hosts", texts(settings.http.hosts)}};
  all["check"] = {{"memory_mb", mebibytes(settings.check.memory_bytes, 0, 1U << 20U)}};
  all["state"] = {{"folder", text(settings.state.folder, not_empty)},
                  {"kept_iterations", integer(settings.state.kept_iterations, 0, large)}};
  all["resources"] = {{"threads", integer(settings.resources.threads, 0, 1024)},
                      {"memory_mb", mebibytes(settings.resources.memory_bytes, 16, 1U << 20U)}};
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

// What no key shows by itself.
void check_together(const toml::table& config, const Settings& settings, Problems& problems) {
  const HttpSettings& http = settings.http;
  if (http.listen.empty() || (!http.token_file.empty() && !http.hosts.empty())) return;
  problems.add(config["http"]["listen"].node()->source().begin,
               "http.listen needs http.token_file and http.hosts");
}

}  // namespace

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
  const Result<std::string> text = read_text_file(path);
  return text.ok() ? parse_settings(*text, path) : Result<Settings>(text.error());
}

}  // namespace qdedup::config
