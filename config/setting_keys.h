#pragma once

#include <functional>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "base/result.h"
#include "config/settings.h"

namespace qdedup::config {

// A key of the config: how its value is read into the settings, and how it is written.
struct SettingKey {
  std::string name;
  std::function<Status(const toml::node&)> read;  // the error says what is wrong with the value
  std::function<std::string()> text;              // as TOML
};

struct SettingSection {
  std::string name;
  std::vector<SettingKey> keys;
};

// All keys, in the order in which they are written. `settings` must outlive them.
std::vector<SettingSection> sections(Settings& settings);

}  // namespace qdedup::config
