#include "config/settings.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <toml++/toml.h>

#include "base/file_descriptor.h"
#include "base/links.h"
#include "base/suggestion.h"
#include "base/user_name.h"
#include "config/setting_keys.h"

namespace qdedup::config {
namespace {

// The parser goes through the parts of a dotted key one inside the other, which takes some 300 bytes of the
// stack for each: 5 MB if the whole config is one key.
constexpr std::size_t longest_config = std::size_t{32} * 1024;

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

template <class Named>
std::string suggested(std::string_view typed, const std::vector<Named>& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Named& each : known) names.push_back(each.name);
  return suggestion(typed, names);
}

void read_section(const SettingSection& section, const toml::table& table, Problems& problems) {
  for (const auto& [key, value] : table) {
    const auto known = std::ranges::find(section.keys, key.str(), &SettingKey::name);
    if (known == section.keys.end()) {
      problems.add(key.source().begin, "unknown key \"" + std::string(key.str()) + "\" in [" + section.name +
                                           "]" + suggested(key.str(), section.keys));
    } else if (const Status read = known->read(value); !read.ok()) {
      problems.add(value.source().begin, section.name + "." + known->name + " " + read.error().message);
    }
  }
}

void read_config(const toml::table& config, Settings& settings, Problems& problems) {
  const std::vector<SettingSection> known = sections(settings);
  for (const auto& [key, value] : config) {
    const std::string name(key.str());
    const auto section = std::ranges::find(known, name, &SettingSection::name);
    if (section == known.end()) {
      problems.add(key.source().begin, value.is_table()
                                           ? "unknown section [" + name + "]" + suggested(name, known)
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
  const auto add = [&](const char* section, const char* key, const char* what) {
    problems.add(config[section][key].node()->source().begin, std::string(section) + '.' + key + ' ' + what);
  };
  const HttpSettings& http = settings.http;
  if (!http.listen.empty() && (http.token_file.empty() || (http.hosts.empty() && http.public_url.empty()))) {
    add("http", "listen", "needs http.token_file, and http.hosts or http.public_url");
  }
  const miner::LineShape& shape = settings.logs.shape;
  if (!shape.id.empty() && shape.score.empty()) add("logs", "id", "needs logs.score");
  if (!shape.score.empty() && shape.id.empty()) add("logs", "score", "needs logs.id");
  const refine::DuplicateSettings& rule = settings.refine;
  const bool by_sets = refine::set_measure(rule.similarity).has_value();
  const bool by_words = rule.features == refine::FeatureKind::words;
  const bool has_gram = rule.gram != refine::DuplicateSettings().gram;
  constexpr const char* needs_sets = R"(needs refine.similarity = "jaccard" or "cosine")";
  if (by_words && !by_sets) add("refine", "features", needs_sets);
  if (has_gram && !by_sets) add("refine", "gram", needs_sets);
  if (has_gram && by_sets && by_words) add("refine", "gram", R"(needs refine.features = "grams")");
  const bool has_pointer = shape.pointer != LogSettings().shape.pointer;
  if (has_pointer && shape.format != miner::LineFormat::object) {
    add("logs", "pointer", R"(needs logs.format = "object")");
  }
}

// Anything else may have no end, or keep its reader waiting.
Status expect_regular_file(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return errno_error(path, errno);
  if (S_ISREG(about.st_mode)) return {};
  return Error{ErrorCode::no_input, path + ": is no regular file, so it is no config"};
}

Result<std::string> read_config_file(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
  if (!file.open()) return errno_error(path, errno);
  Result<std::string> text = read_at_most(file, path, longest_config + 1);
  if (!text.ok() || text->size() <= longest_config) return text;
  return Error{ErrorCode::config,
               path + ": is longer than the " + std::to_string(longest_config) + " bytes that are read"};
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, const std::string& source) {
  Problems problems(source);
  Settings settings;
  try {
    const toml::table config = toml::parse(text);
    read_config(config, settings, problems);
    settings.state.is_named = !!config.at_path("state.folder");
    check_together(config, settings, problems);
  } catch (const toml::parse_error& error) {
    problems.add(error.source().begin, std::string(error.description()));
  }
  if (!problems.none()) return problems.error();
  return settings;
}

std::vector<std::string> doubts_about(const Settings& settings) {
  std::vector<std::string> doubts;
  if (settings.selection.min_score > settings.selection.min_top_score)
    doubts.emplace_back("selection.min_top_score has no effect, as selection.min_score is above it");
  if (settings.refine.signs == refine::SignRule::any &&
      settings.refine.compare == refine::ComparedText::han) {
    doubts.emplace_back(
        R"(refine.signs = "any" compares nothing but Chinese characters; for other languages, set refine.compare = "text")");
  }
  const HttpSettings& http = settings.http;
  const bool has_tcp = !http.token_file.empty() || !http.hosts.empty() || !http.reviewers_file.empty() ||
                       !http.public_url.empty();
  if (http.listen.empty() && has_tcp)
    doubts.emplace_back("http.listen is empty, so that the rest of [http] has no effect");
  return doubts;
}

Result<Settings> load_settings(const std::string& path) {
  QDEDUP_TRY(expect_regular_file(path));
  QDEDUP_ASSIGN_OR_RETURN(const std::string text, read_config_file(path));
  return parse_settings(text, path);
}

Result<Settings> load_settings(const std::string& path, const std::string& state_folder) {
  QDEDUP_ASSIGN_OR_RETURN(Settings settings, path.empty() ? Settings() : load_settings(path));
  if (!state_folder.empty()) {
    settings.state.folder = state_folder;
    settings.state.is_named = true;
  }
  const std::string& folder = settings.state.folder;
  std::error_code failure;
  if (std::filesystem::exists(folder, failure) && !std::filesystem::is_directory(folder, failure)) {
    return Error{ErrorCode::no_input, folder + ": is not a folder, so no state can be in it"};
  }
  if (std::filesystem::exists(std::filesystem::symlink_status(folder, failure))) {
    QDEDUP_TRY(expect_own_folder(settings.state));
  }
  return settings;
}

Status expect_own_folder(const StateSettings& state) {
  if (state.is_named) return {};
  std::error_code failure;
  const std::filesystem::path parent =
      std::filesystem::canonical(std::filesystem::path(state.folder).parent_path(), failure);
  struct stat about {};
  if (::lstat(state.folder.c_str(), &about) == 0 && !is_of_root_or_own(about)) {
    return Error{ErrorCode::usage, state.folder + ": belongs to the user " + unix_user(about.st_uid) +
                                       "; to use it all the same, give --state " + state.folder};
  }
  if (::stat(parent.c_str(), &about) == 0 && !others_may_write(about)) return {};
  return Error{ErrorCode::usage,
               state.folder + ": others may put a folder of theirs in its place, as they may write to " +
                   parent.string() + "; go to a folder of your own, or give --state " + state.folder};
}

std::string dump_settings(const Settings& settings) {
  Settings copy = settings;
  std::string text;
  for (const SettingSection& section : sections(copy)) {
    text += (text.empty() ? "[" : "\n[") + section.name + "]\n";
    for (const SettingKey& key : section.keys) text += key.name + " = " + key.text() + "\n";
  }
  return text;
}

}  // namespace qdedup::config
