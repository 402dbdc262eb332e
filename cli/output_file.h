#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "db/state_folder.h"

namespace qdedup::cli {

// What happens to a file that an output replaces.
struct Replacing {
  // Whether it may go. It is read at this path; its name may lead elsewhere by now.
  std::function<bool(const std::string& path)> may_go = [](const std::string&) { return true; };
  // What may not is kept beside the new one, at this path.
  std::function<void(const std::string& path)> kept = [](const std::string&) {};
};

// The format that was asked for, or, if that is empty, the one of the output's ending: html, tsv, jsonl,
// xlsx, and csv for all others. CLI::ValidationError for other workbooks.
std::string output_format(const std::string& asked, const std::string& output);

// The same for what is written as csv, tsv or jsonl alone: CLI::ValidationError for the others.
std::string list_format(const std::string& asked, const std::string& output);

// CLI::ValidationError for an output that is asked for, or named, as anything but JSON lines.
void expect_json_lines(const std::string& asked, const std::string& output);

// Lets `write` fill the file at `path`, or `standard_output` if `path` is empty or "-". The file appears
// complete or not at all: it is written beside its place and then renamed. Refuses to replace a database, and
// places ruled out by db::output_place.
Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write, const Replacing& replacing = {});

}  // namespace qdedup::cli
