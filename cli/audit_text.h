#pragma once

#include <string>

#include <CLI/Error.hpp>
#include <CLI/Validators.hpp>

#include "base/reviewer_name.h"
#include "base/utf8.h"

namespace qdedup::cli {

// Check what goes into the audit, by the rules of the review page. An empty name stands for the user who
// calls.
inline CLI::Validator audit_name() {
  return {[](const std::string& name) -> std::string {
            if (name.empty() || is_reviewer_name(name)) return "";
            return "a name is UTF-8 without control characters, at most 64 bytes";
          },
          ""};
}

inline CLI::Validator audit_note() {
  return {[](const std::string& note) -> std::string { return is_utf8(note) ? "" : "a note is UTF-8"; }, ""};
}

}  // namespace qdedup::cli
