#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/setting_values.h"
#include "markup/extract.h"
#include "miner/clusters.h"
#include "miner/line_parser.h"
#include "miner/seed_lists.h"
#include "refine/confidence.h"
#include "refine/contrast.h"
#include "refine/duplicate_test.h"

namespace qdedup::config {

struct LogSettings {
  std::vector<std::string> paths;  // globs
  miner::LineShape shape;
  std::size_t max_line_bytes = 1'048'576;
};

// When the daemon runs an iteration. schedule::Schedule::parse() takes them.
struct ScheduleSettings {
  std::string every = "Sun 03:00";
  std::string time_zone = "Asia/Shanghai";
  // At most, until what was written before the slot is mined.
  std::chrono::seconds wait_for_logs = std::chrono::hours(1);
};

// How the daemon follows the logs.
struct TailSettings {
  std::uint64_t commit_lines = 100'000;  // committed at a time, at most
  unsigned commit_ms = 25;               // from one commit to the next, at least
  unsigned poll_seconds = 10;            // between looks at all logs, should inotify have missed something
  unsigned rotate_wait_seconds = 60;     // for which a log that was rotated may still be written to
};

// HTTP over TCP, beside the unix socket in the state folder. With `listen` set, there are a token and a host.
struct HttpSettings {
  std::string listen;              // empty for none; else parse_listen_address() takes it
  std::string token_file;          // holds the token that clients must send
  std::vector<std::string> hosts;  // the values of the Host header that are answered
  std::string
      reviewers_file;      // who may sign in (config/reviewers.h); empty: whoever has the token, by any name
  std::string public_url;  // of a proxy; empty for none, else expect_public_url() takes it
};

// What happens to deletions without people, and what people see.
struct ReviewSettings {
  refine::ApprovalPolicy auto_approve;  // of new deletions, at once
  DeletionLimit max_deletions_per_iteration;
  std::string image_url;  // of pictures; empty for none, else origin_of_image_url() takes it
};

struct StateSettings {
  std::string folder = "./qdedup-data";
  bool is_named = false;              // by the config or the command line
  std::uint64_t kept_iterations = 5;  // whose evidence is kept after it was consumed
  unsigned idle_lease_seconds =
      1800;  // after which a command is reported that stores nothing and holds others up
};

// How the daemon answers checks of single questions.
struct CheckSettings {
  std::uint64_t memory_bytes = 1024U << 20U;  // for an index of the bank; 0: the bank is read instead
  std::size_t max_requests = 64;              // that wait or are being answered
  std::uint64_t keep_days = 0;                // of what arrived; 0: for ever
};

struct ResourceSettings {
  unsigned threads = 0;                       // 0: as many as there are cores
  std::uint64_t memory_bytes = 1536U << 20U;  // that an iteration takes, about
};

// All that the config file can say; the values here are the defaults.
struct Settings {
  LogSettings logs;
  miner::SelectionSettings selection;
  miner::MergeSettings merge;
  markup::Options text;
  refine::DuplicateSettings refine;
  refine::ContrastSettings contrast;
  TailSettings tail;
  ScheduleSettings schedule;
  ReviewSettings review;
  HttpSettings http;
  CheckSettings check;
  StateSettings state;
  ResourceSettings resources;
};

// Reads a config (TOML). Each problem is a line "<source>:<line>:<column>: <what>" of the error's message;
// keys that are not known are problems.
Result<Settings> parse_settings(std::string_view text, const std::string& source);

// What is allowed but hardly meant, each as "section.key …".
std::vector<std::string> doubts_about(const Settings& settings);

// parse_settings on a file, of 32 KiB at most.
Result<Settings> load_settings(const std::string& path);

// The settings of the config at `path`, or the defaults where that is empty; with the state in
// `state_folder`, unless that is empty. Fails as expect_own_folder() does if the state's folder exists.
Result<Settings> load_settings(const std::string& path, const std::string& state_folder);

// A folder that nobody named is used only if it cannot have been laid there, or be exchanged, by somebody
// else: ErrorCode::usage. It need not exist.
Status expect_own_folder(const StateSettings& state);

// The default config with a comment on each key. It parses to the defaults.
std::string_view default_settings_text();

// The config that gives `settings`, all keys spelled out.
std::string dump_settings(const Settings& settings);

}  // namespace qdedup::config
