#include "config/setting_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/host.h"
#include "miner/json_cursor.h"
#include "schedule/schedule.h"

namespace qdedup::config {
namespace {

template <class Value, class Read, class Write>
SettingKey key(std::string name, Value& target, Read read, Write write) {
  return {std::move(name),
          [&target, read = std::move(read)](const toml::node& value) -> Status {
            QDEDUP_ASSIGN_OR_RETURN(target, read(value));
            return {};
          },
          [&target, write = std::move(write)] { return write(target); }};
}

Error wrong(std::string what) { return {ErrorCode::config, std::move(what)}; }

template <class Value>
std::string toml_text(const Value& value) {
  // Of several lines, or in single quotes, a string would lose some characters, or could not be read again.
  constexpr auto flags =
      toml::toml_formatter::default_flags &
      ~(toml::format_flags::allow_multi_line_strings | toml::format_flags::allow_literal_strings);
  std::ostringstream out;
  out << toml::toml_formatter(value, flags);
  return out.str();
}

std::string toml_string(const std::string& text) { return toml_text(toml::value<std::string>(text)); }

// Null where it is none.
const std::string* string_of(const toml::node& value) {
  const auto* string = value.as_string();
  return string == nullptr ? nullptr : &string->get();
}

// The config has it in units of `unit`.
template <class Number>
SettingKey integer(std::string name, Number& target, std::int64_t min, std::int64_t max,
                   std::int64_t unit = 1) {
  return key(
      std::move(name), target,
      [min, max, unit](const toml::node& value) -> Result<Number> {
        const auto* number = value.as_integer();
        if (number == nullptr || number->get() < min || number->get() > max) {
          const bool is_share = max == 100 && value.is_floating_point();
          return wrong("must be a whole number from " + std::to_string(min) + " to " + std::to_string(max) +
                       (is_share ? ": percent, not a share of 1" : ""));
        }
        return static_cast<Number>(number->get() * unit);
      },
      [unit](Number number) { return std::to_string(static_cast<std::int64_t>(number) / unit); });
}

SettingKey mebibytes(std::string name, std::uint64_t& target, std::int64_t min) {
  return integer(std::move(name), target, min, std::int64_t{1} << 20U, std::int64_t{1} << 20U);
}

Result<std::chrono::seconds> read_duration(const toml::node& value) {
  const std::string* text = string_of(value);
  const auto duration = text == nullptr ? std::nullopt : parse_duration(*text);
  if (!duration) return wrong(R"(must be a time of a week at most, such as "90s", "10min", "1h" or "2d")");
  return *duration;
}

SettingKey duration(std::string name, std::chrono::seconds& target) {
  return key(std::move(name), target, read_duration,
             [](std::chrono::seconds value) { return toml_string(to_string(value)); });
}

Result<double> read_score(const toml::node& value) {
  const std::optional<double> number = value.value<double>();
  if (!value.is_number() || !number || !std::isfinite(*number)) return wrong("must be a finite number");
  return *number;
}

// In the shortest form that reads back the same: 0.3, not 0.29999999999999999.
std::string score_text(double score) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score).ptr;
  const std::string digits(text.data(), end);
  const bool is_whole = digits.find_first_of(".e") == std::string::npos;
  return digits + (is_whole ? ".0" : "");
}

SettingKey score(std::string name, double& target) {
  return key(std::move(name), target, read_score, score_text);
}

SettingKey text(std::string name, std::string& target, Status (*check)(const std::string& value)) {
  return key(
      std::move(name), target,
      [check](const toml::node& value) -> Result<std::string> {
        const std::string* text = string_of(value);
        if (text == nullptr) return wrong("must be a string");
        QDEDUP_TRY(check(*text));
        return *text;
      },
      toml_string);
}

Result<std::vector<std::string>> read_texts(const toml::node& value, Status (*check)(const std::string&)) {
  const toml::array* array = value.as_array();
  if (array == nullptr) return wrong("must be an array of strings");
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    const std::string* text = string_of(element);
    if (text == nullptr) return wrong("must be an array of strings");
    QDEDUP_TRY(check(*text));
    texts.push_back(*text);
  }
  return texts;
}

SettingKey texts(std::string name, std::vector<std::string>& target,
                 Status (*check)(const std::string& value)) {
  return key(
      std::move(name), target, [check](const toml::node& value) { return read_texts(value, check); },
      [](const std::vector<std::string>& texts) {
        toml::array array;
        for (const std::string& each : texts) array.push_back(each);
        return toml_text(array);
      });
}

SettingKey flag(std::string name, bool& target) {
  return key(
      std::move(name), target,
      [](const toml::node& value) -> Result<bool> {
        const auto* flag = value.as_boolean();
        if (flag == nullptr) return wrong("must be true or false");
        return flag->get();
      },
      [](bool value) { return std::string(value ? "true" : "false"); });
}

template <class Choice>
SettingKey choice(std::string name, Choice& target, std::map<std::string, Choice> choices) {
  return key(
      std::move(name), target,
      [choices](const toml::node& value) -> Result<Choice> {
        const std::string* text = string_of(value);
        const auto chosen = text == nullptr ? choices.end() : choices.find(*text);
        if (chosen != choices.end()) return chosen->second;
        std::string names;
        for (const auto& [each, unused] : choices) names += (names.empty() ? "\"" : " or \"") + each + "\"";
        return wrong("must be " + names);
      },
      [choices](Choice choice) {
        const auto is_chosen = [&](const auto& each) { return each.second == choice; };
        return toml_string(std::ranges::find_if(choices, is_chosen)->first);
      });
}

template <class Choice, std::size_t Size>
std::map<std::string, Choice> choices_of(const ValueNames<Choice, Size>& names) {
  std::map<std::string, Choice> choices;
  for (const auto& [value, name] : names) choices.emplace(name, value);
  return choices;
}

// A number in the fewest digits that give it, and without an exponent: 0.0001, not 1e-04.
std::string fixed_digits(const toml::node& value) {
  std::array<char, 32> text{};
  if (!value.is_number()) return {};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), *value.value<double>(), std::chars_format::fixed);
  return error == std::errc() ? std::string(text.data(), end) : std::string();
}

Result<refine::ApprovalPolicy> read_approval_policy(const toml::node& value) {
  const std::string* text = string_of(value);
  if (text != nullptr && *text == "none") return refine::ApprovalPolicy{};
  if (text != nullptr && *text == "safe") return refine::ApprovalPolicy{refine::Risk(refine::Risk::certain)};
  const auto risk = refine::parse_risk(fixed_digits(value));
  if (risk) return refine::ApprovalPolicy{risk};
  return wrong(
      R"(must be "none", "safe", or the highest risk, a number from 0 to 1 with at most four decimals, such as 0.01)");
}

std::string approval_policy_text(const refine::ApprovalPolicy& policy) {
  if (!policy.highest_risk) return toml_string("none");
  return policy.highest_risk->ten_thousandths() == refine::Risk::certain ? toml_string("safe")
                                                                         : text_of(*policy.highest_risk);
}

Result<DeletionLimit> read_deletion_limit(const toml::node& value) {
  constexpr std::int64_t large = 1'000'000'000;
  const auto* number = value.as_integer();
  if (number != nullptr && number->get() >= 0 && number->get() <= large) {
    return DeletionLimit{DeletionLimit::Kind::count, static_cast<std::uint64_t>(number->get())};
  }
  const std::string* text = string_of(value);
  return parse_deletion_limit(text == nullptr ? "" : *text);
}

SettingKey deletion_limit(std::string name, DeletionLimit& target) {
  return key(std::move(name), target, read_deletion_limit, [](const DeletionLimit& limit) {
    return limit.kind == DeletionLimit::Kind::count ? text_of(limit) : toml_string(text_of(limit));
  });
}

// Checks of texts, by what else reads them.

// A path is taken as it is written, and a NUL would end it.
Status path_or_nothing(const std::string& value) {
  if (value.find('\0') != std::string::npos) return wrong("must not have a NUL");
  if (value == "~" || value.starts_with("~/"))
    return wrong("must name the home folder in full, as ~ does not stand for it here");
  return {};
}

Status path(const std::string& value) {
  return value.empty() ? wrong("must not be empty") : path_or_nothing(value);
}

template <auto parse, bool may_be_empty = false>
Status taken_by(const std::string& value) {
  if (!may_be_empty || !value.empty()) QDEDUP_TRY(parse(value));
  return {};
}

Status time_zone(const std::string& value) {
  const auto zone = schedule::find_time_zone(value);
  return zone.ok() ? Status() : wrong("names " + zone.error().message);
}

Status host(const std::string& value) {
  if (is_host(value)) return {};
  return wrong(
      R"(must be hosts as browsers send them, with the port unless that is the usual one, such as "localhost:9631")");
}

}  // namespace

std::vector<SettingSection> sections(Settings& settings) {
  constexpr std::int64_t large = 1'000'000'000;
  miner::LineShape& shape = settings.logs.shape;
  return {
      {"logs",
       {texts("paths", settings.logs.paths, path),
        choice("format", shape.format, choices_of(miner::line_format_names)),
        text("pointer", shape.pointer, taken_by<miner::parse_pointer>),
        text("id", shape.id, taken_by<miner::parse_pointer>),
        text("score", shape.score, taken_by<miner::parse_pointer>),
        flag("quoted_numbers", shape.quoted_numbers),
        choice("order", shape.by_score, {{"listed", false}, {"score", true}}),
        integer("max_line_bytes", settings.logs.max_line_bytes, 64, large)}},
      {"selection",
       {score("min_top_score", settings.selection.min_top_score),
        score("min_score", settings.selection.min_score)}},
      {"merge", {integer("max_cluster_size", settings.merge.max_cluster_size, 2, 1'000'000)}},
      {"text",
       {choice("markup", settings.text.markup, choices_of(markup::reading_names)),
        choice("numbering", settings.text.numbering, choices_of(markup::numbering_names))}},
      {"refine",
       {integer("min_similarity", settings.refine.min_similarity, 1, 100),
        choice("similarity", settings.refine.similarity, choices_of(refine::similarity_names)),
        choice("signs", settings.refine.signs, choices_of(refine::sign_rule_names)),
        choice("compare", settings.refine.compare, choices_of(refine::compared_text_names)),
        choice("features", settings.refine.features, choices_of(refine::feature_kind_names)),
        integer("gram", settings.refine.gram, 1, refine::max_gram)}},
      {"contrast",
       {integer("figure_text", settings.contrast.figure_text, 0, large),
        integer("short_text", settings.contrast.short_text, 0, large)}},
      {"tail",
       {integer("commit_lines", settings.tail.commit_lines, 1, 10'000'000),
        integer("commit_ms", settings.tail.commit_ms, 1, 60'000),
        integer("poll_seconds", settings.tail.poll_seconds, 1, 3600),
        integer("rotate_wait_seconds", settings.tail.rotate_wait_seconds, 0, 86'400)}},
      {"schedule",
       {text("every", settings.schedule.every, taken_by<schedule::parse_recurrence>),
        text("time_zone", settings.schedule.time_zone, time_zone),
        duration("wait_for_logs", settings.schedule.wait_for_logs)}},
      {"review",
       {key("auto_approve", settings.review.auto_approve, read_approval_policy, approval_policy_text),
        deletion_limit("max_deletions_per_iteration", settings.review.max_deletions_per_iteration),
        text("image_url", settings.review.image_url, taken_by<origin_of_image_url, true>)}},
      {"http",
       {text("listen", settings.http.listen, taken_by<parse_listen_address, true>),
        text("token_file", settings.http.token_file, path_or_nothing),
        texts("hosts", settings.http.hosts, host),
        text("reviewers_file", settings.http.reviewers_file, path_or_nothing),
        text("public_url", settings.http.public_url, taken_by<expect_public_url, true>)}},
      {"check",
       {mebibytes("memory_mb", settings.check.memory_bytes, 0),
        integer("max_requests", settings.check.max_requests, 1, 10'000),
        integer("keep_days", settings.check.keep_days, 0, 36'500)}},
      {"state",
       {text("folder", settings.state.folder, path),
        integer("kept_iterations", settings.state.kept_iterations, 0, large),
        integer("idle_lease_seconds", settings.state.idle_lease_seconds, 1, 604'800)}},
      {"resources",
       {integer("threads", settings.resources.threads, 0, 1024),
        mebibytes("memory_mb", settings.resources.memory_bytes, 16)}},
  };
}

}  // namespace qdedup::config
