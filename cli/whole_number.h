#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include <CLI/Validators.hpp>

namespace qdedup::cli {

// Checks that an option is a whole number from `least` to `most`, in decimal digits and nothing else.
inline CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return {[least, most](const std::string& text) -> std::string {
            std::int64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            const bool leading_zero = text.size() > 1 && text.front() == '0';
            if (error == std::errc() && stop == end && !leading_zero && number >= least && number <= most)
              return "";
            return "\"" + text + "\" is not a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most);
          },
          "N"};
}

}  // namespace qdedup::cli
