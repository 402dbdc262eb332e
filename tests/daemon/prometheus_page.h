#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qdedup::daemon {

// A page in the text format of Prometheus, read strictly as its documentation writes it ("Text format
// details").
struct PrometheusPage {
  struct Sample {
    std::map<std::string, std::string> labels;  // unescaped
    double value = 0;
  };
  struct Family {
    std::string help;
    std::string type;
    std::vector<Sample> samples;
  };
  std::map<std::string, Family> families;

  // Throws std::runtime_error, with the line at fault, for a page that is not right: no line feed at the end,
  // a sample whose family has no HELP and TYPE before it, a family in two places, two samples with the same
  // labels, a name, an escape or a number that is none.
  static PrometheusPage parse(std::string_view text);

  // The one sample with those labels; throws when there is none.
  [[nodiscard]] double value(const std::string& family,
                             const std::map<std::string, std::string>& labels = {}) const;
};

}  // namespace qdedup::daemon
