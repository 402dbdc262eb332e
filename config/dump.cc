#include <array>
#include <charconv>
#include <sstream>

#include <toml++/toml.h>

#include "config/settings.h"

namespace qdedup::config {
namespace {

template <class Value>
void line(std::ostream& out, std::string_view key, const Value& value) {
  out << key << " = " << toml::toml_formatter(toml::value<Value>(value)) << '\n';
}

void line(std::ostream& out, std::string_view key, const std::vector<std::string>& values) {
  toml::array array;
  for (const std::string& value : values) array.push_back(value);
  out << key << " = " << toml::toml_formatter(array) << '\n';
}

// Scores in the shortest form that reads back the same: 0.3, not 0.29999999999999999.
void score_line(std::ostream& out, std::string_view key, double score) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), score).ptr;
  const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
  const bool whole = digits.find_first_of(".e") == std::string_view::npos;
  out << key << " = " << digits << (whole ? ".0" : "") << '\n';
}

void limit_line(std::ostream& out, std::string_view key, const DeletionLimit& limit) {
  if (limit.kind == DeletionLimit::Kind::count) {
    line(out, key, static_cast<std::int64_t>(limit.value));
  } else {
    line(out, key, text_of(limit));
  }
}

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

std::string dump_settings(const Settings& settings) {
  std::ostringstream out;
  const bool array = settings.logs.format == miner::LineFormat::array;

  out << "[logs]\n";
  line(out, "paths", settings.logs.paths);
  line<std::string>(out, "format", array ? "array" : "object");
  line(out, "pointer", settings.logs.pointer);
  line(out, "max_line_bytes", number(settings.logs.max_line_bytes));
  out << "\n[selection]\n";
  score_line(out, "min_top_score", settings.selection.min_top_score);
  score_line(out, "min_score", settings.selection.min_score);
  out << "\n[merge]\n";
  line(out, "max_cluster_size", number(settings.merge.max_cluster_size));
  out << "\n[refine]\n";
  line(out, "min_similarity", std::int64_t{settings.refine.min_similarity});
  line(out, "similarity", std::string(name(settings.refine.similarity)));
  out << "\n[tail]\n";
  line(out, "commit_lines", number(settings.tail.commit_lines));
  line(out, "commit_ms", number(settings.tail.commit_ms));
  line(out, "poll_seconds", number(settings.tail.poll_seconds));
  line(out, "rotate_wait_seconds", number(settings.tail.rotate_wait_seconds));
  out << "\n[schedule]\n";
  line(out, "every", settings.schedule.every);
  line(out, "time_zone", settings.schedule.time_zone);
  out << "\n[review]\n";
  line<std::string>(out, "auto_approve", settings.review.approve_safe ? "safe" : "none");
  limit_line(out, "max_deletions_per_iteration", settings.review.max_deletions_per_iteration);
  out << "\n[http]\n";
  line(out, "listen", settings.http.listen);
  line(out, "token_file", settings.http.token_file);
  line(out, "hosts", settings.http.hosts);
  out << "\n[check]\n";
  line(out, "memory_mb", number(settings.check.memory_bytes >> 20U));
  out << "\n[state]\n";
  line(out, "folder", settings.state.folder);
  line(out, "kept_iterations", number(settings.state.kept_iterations));
  out << "\n[resources]\n";
  line(out, "threads", number(settings.resources.threads));
  line(out, "memory_mb", number(settings.resources.memory_bytes >> 20U));
  return out.str();
}

}  // namespace qdedup::config
